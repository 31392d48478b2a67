"""Make a project for each record, mapped to the packages of its distributions; run by the program's own Python."""

import json
import sys

from anitya.app import create
from anitya.db import models
from anitya.db.meta import db

with open(sys.argv[1], encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines]
with create().app_context():
    db.manager.create()
    for name in sorted({distro for record in records for distro in record["distros"].split(", ")}):
        db.session.add(models.Distro(name=name))
    for record in records:
        custom = record["backend"] == "custom"
        project = models.Project(
            name=record["name"],
            homepage=record["homepage"],
            backend=record["backend"],
            ecosystem_name=record["homepage"] if custom else record["backend"],
            latest_version=record["version"],
            logs="Version retrieved correctly",
            check_successful=True,
        )
        project.versions_obj.append(models.ProjectVersion(version=record["version"]))
        for distro in record["distros"].split(", "):
            project.packages.append(models.Packages(distro_name=distro, package_name=record["name"]))
        db.session.add(project)
    db.session.commit()
