"""Template family A: the plain web of hobbyists, libraries and companies, from 1997 to today."""

from __future__ import annotations

from dowse.sim.family_a import designs_css, designs_new, designs_old
from dowse.sim.family_a.addresses import ADDRESSES
from dowse.sim.family_a.details import DETAILS
from dowse.sim.family_a.eras import OLD, SCRIPT_MENUS
from dowse.sim.family_a.forms import FORMS, write_form
from dowse.sim.family_a.labels import WAYS
from dowse.sim.family_a.lists import LISTS, write_notes, write_text
from dowse.sim.family_a.results import RESULTS
from dowse.sim.view import Family

__all__ = ["FAMILY_A", "SCRIPT_MENUS"]

FAMILY_A = Family(
    name="A",
    designs={
        "table97": designs_old.write_table97,
        "plain": designs_old.write_plain,
        "slices": designs_old.write_slices,
        "hobby": designs_old.write_hobby,
        "left_menu": designs_css.write_left_menu,
        "top_nav": designs_css.write_top_nav,
        "portal": designs_css.write_portal,
        "wiki": designs_css.write_wiki,
        "blog": designs_css.write_blog,
        "modern": designs_new.write_modern,
        "mega": designs_new.write_mega,
        "dropdown": designs_new.write_dropdown,
        "burger": designs_new.write_burger,
        "components": designs_new.write_components,
        "docs": designs_new.write_docs,
        "columns": designs_new.write_columns,
    },
    old=OLD,
    labels=tuple(WAYS),
    forms=tuple(FORMS),
    results=RESULTS,
    details=DETAILS,
    lists=LISTS,
    marks=("mod-", "c_", "box", "x-", "ui", "blk-", "site_", "el-", "theme", "w-", "pg_", "zn"),
    write_form=write_form,
    write_notes=write_notes,
    write_text=write_text,
    addresses=ADDRESSES,
)
