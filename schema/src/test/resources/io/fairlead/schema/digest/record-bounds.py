#!/usr/bin/env python3
"""Asks a kube-apiserver which bounds it keeps of definitions with numbers that doubles round, and writes them to bounds.txt.

usage: record-bounds.py SERVER-URL BEARER-TOKEN
"""
import json, os, ssl, sys, urllib.request

here = os.path.dirname(os.path.abspath(__file__))
server, token = sys.argv[1:3]
trust = ssl._create_unverified_context()
OFFSETS = (-1025, -1024, -513, -512, -3, -2, -1, 0, 1, 2, 3, 512, 513, 1024, 1025, 2048, 2049)
OTHERS = ("9007199254740993.0", "9.007199254740993e15", "9223372036854775807.0", "1e18", "1e21", "0.1", "0.30000000000000004",
          "0.25000000000000000001", "5e-324", "1e-400", "18446744073709551615", "123456789012345678901234567890")


def kept(keyword, number):
    value = "[" + number + "]" if keyword == "enum" else number
    schema = '{"type":"object","properties":{"v":{"type":"number","%s":%s}}}' % (keyword, value)
    body = ('{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},'
            '"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},'
            '"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":%s}}]}}' % schema)
    request = urllib.request.Request(
        server + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All", method="POST", data=body.encode())
    request.add_header("Authorization", "Bearer " + token)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, context=trust) as answer:
        tree = json.loads(answer.read(), parse_int=str, parse_float=str)
    found = tree["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["v"][keyword]
    return found[0] if keyword == "enum" else found


numbers = [str(sign * (2**power + offset)) for power in (53, 63) for sign in (1, -1) for offset in OFFSETS]
cases = [(keyword, number) for keyword in ("minimum", "maximum") for number in [*numbers, *OTHERS]]
cases += [("multipleOf", number) for number in [*numbers, *OTHERS] if not number.startswith("-")]
cases += [(keyword, number) for keyword in ("default", "enum") for number in [*numbers[::3], *OTHERS[3:]]]
with open(os.path.join(here, "bounds.txt"), "w") as out:
    for keyword, number in cases:
        out.write(keyword + " " + number + " " + kept(keyword, number) + "\n")
