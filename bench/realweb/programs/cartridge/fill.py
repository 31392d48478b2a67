"""Make a product for each record, in categories by brand; run in the project's shell."""

import json
import os
from collections import Counter
from decimal import Decimal

from cartridge.shop.models import Category, Product
from django.contrib.sites.models import Site
from django.db import transaction

Site.objects.update(domain="cartridge.real.example")
with open(os.environ["RECORDS"], encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines]
common = [brand for brand, _ in Counter(record["brand"] for record in records).most_common(8)]
with transaction.atomic():
    shop = Category.objects.create(title="Shop", content="<p>Everything we have.</p>")
    shelves = {name: Category.objects.create(title=name, parent=shop) for name in (*common, "More brands")}
    for record in records:
        price = Decimal(record["price"]).quantize(Decimal("0.01"))
        text = f"<p>{record['brand']} {record['model']}. Weight {record['weight']}.</p>"
        product = Product.objects.create(title=record["title"][:400], content=text, available=True, status=2)
        product.categories.add(shelves.get(record["brand"], shelves["More brands"]))
        product.variations.create(default=True, unit_price=price, num_in_stock=50, sku=f"P{product.pk}")
        product.copy_default_variation()
        product.save()
