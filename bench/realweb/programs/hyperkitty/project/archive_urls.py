"""The archive at the root, its accounts beside it."""

from django.urls import include, path

urlpatterns = [
    path("", include("hyperkitty.urls")),
    path("", include("django_mailman3.urls")),
    path("accounts/", include("allauth.urls")),
]
