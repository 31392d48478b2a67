# ruff: noqa: RUF012
"""Pages of a reading room."""

from django.core.paginator import Paginator
from django.db import models
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, InlinePanel
from wagtail.contrib.forms.models import AbstractForm, AbstractFormField
from wagtail.fields import RichTextField
from wagtail.models import Page
from wagtail.search import index


class HomePage(Page):
    intro = RichTextField(blank=True)
    content_panels = [*Page.content_panels, FieldPanel("intro")]


class BookIndexPage(Page):
    def get_context(self, request, *args, **kwargs):
        context = super().get_context(request, *args, **kwargs)
        books = BookPage.objects.child_of(self).live().order_by("title", "pk")
        context["books"] = Paginator(books, 20).get_page(request.GET.get("page"))
        return context


class BookPage(Page):
    authors = models.TextField()
    year = models.IntegerField()
    isbn = models.CharField(max_length=20)
    language = models.CharField(max_length=10)
    rating = models.CharField(max_length=10)
    search_fields = [*Page.search_fields, index.SearchField("authors"), index.FilterField("year")]


class FormField(AbstractFormField):
    page = ParentalKey("FormPage", on_delete=models.CASCADE, related_name="form_fields")


class FormPage(AbstractForm):
    content_panels = [*AbstractForm.content_panels, InlinePanel("form_fields")]
