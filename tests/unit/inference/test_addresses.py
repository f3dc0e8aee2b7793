"""OLLAMA_HOST is read exactly as Ollama's own tools read it."""

from __future__ import annotations

import pytest

from backend.inference.addresses import ServerAddress, is_loopback_url, parse_ollama_host


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        ("1.2.3.4:56789", "http://1.2.3.4:56789"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("https://1.2.3.4", "https://1.2.3.4:443"),
        ("https://1.2.3.4:1234", "https://1.2.3.4:1234"),
        ("example.com", "http://example.com:11434"),
        ("example.com:1234/", "http://example.com:1234"),
        ("https://example.com/ollama", "https://example.com:443/ollama"),
        ("example.com:1234/ollama/", "http://example.com:1234/ollama"),
        ("example.com:66000", "http://example.com:11434"),
        ("example.com:-1", "http://example.com:11434"),
        ("example.com:abc", "http://example.com:11434"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:1337", "http://[::1]:1337"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]:443"),
        (' " 1.2.3.4 " ', "http://1.2.3.4:11434"),
        ("'1.2.3.4:5'", "http://1.2.3.4:5"),
    ],
)
def test_that_the_host_is_read_as_the_tools_of_ollama_read_it(value: str, url: str) -> None:
    assert parse_ollama_host(value).url == url


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:11500", "http://127.0.0.1:11500"),
        ("[::]:11500", "http://[::1]:11500"),
        (":1234", "http://127.0.0.1:1234"),
    ],
)
def test_that_an_address_to_listen_on_becomes_one_to_connect_to(value: str, url: str) -> None:
    assert parse_ollama_host(value).connectable().url == url


def test_that_the_number_is_tried_before_the_name_localhost() -> None:
    hosts = [each.host for each in parse_ollama_host("localhost:9").candidates()]
    assert hosts == ["127.0.0.1", "localhost"]
    hosts = [each.host for each in parse_ollama_host("").candidates()]
    assert hosts == ["127.0.0.1", "localhost"]
    assert len(parse_ollama_host("192.0.2.7").candidates()) == 1


def test_that_only_addresses_of_this_computer_count_as_loopback() -> None:
    assert ServerAddress("http", "127.0.0.5", 1).is_loopback
    assert ServerAddress("http", "::1", 1).is_loopback
    assert ServerAddress("http", "LOCALHOST", 1).is_loopback
    assert not ServerAddress("http", "192.0.2.7", 1).is_loopback
    assert not ServerAddress("http", "localhost.example.com", 1).is_loopback
    assert is_loopback_url("http://[::1]:8080/v1")
    assert not is_loopback_url("https://models.example.com/v1")
