"""Addresses: the forum and the accounts that Django has."""

from django.contrib.auth import views
from django.urls import include, path

urlpatterns = [
    path("accounts/login/", views.LoginView.as_view(template_name="login.html"), name="login"),
    path("", include("machina.urls")),
]
