"""Addresses: the help desk alone."""

from django.urls import include, path

urlpatterns = [path("", include("helpdesk.urls", namespace="helpdesk"))]
