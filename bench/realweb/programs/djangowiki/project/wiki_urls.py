"""Addresses: the wiki and what its notifications need."""

from django.urls import include, path

urlpatterns = [
    path("notifications/", include("django_nyt.urls")),
    path("", include("wiki.urls")),
]
