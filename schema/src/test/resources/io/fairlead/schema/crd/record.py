#!/usr/bin/env python3
"""Asks a kube-apiserver what it says to values.json and definitions.json and writes its answers to expected.json.

usage: record.py SERVER-URL BEARER-TOKEN        (the server may be thrown away afterwards)
"""
import json, os, ssl, sys, time, urllib.error, urllib.request

here = os.path.dirname(os.path.abspath(__file__))
server, token = sys.argv[1:3]
trust = ssl._create_unverified_context()


def call(method, path, body=None):
    request = urllib.request.Request(server + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", "Bearer " + token)
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, context=trust) as answer:
            return answer.status, json.load(answer), answer.headers.get_all("Warning") or []
    except urllib.error.HTTPError as e:
        text = e.read()
        return e.code, json.loads(text) if text.startswith(b"{") else {"message": text.decode()}, e.headers.get_all("Warning") or []


def told(answer, keep):
    code, body, warnings = answer
    result = {"code": code}
    if code >= 400:
        result["message"] = body["message"]
        causes = body.get("details", {}).get("causes", [])
        result["causes"] = [[c.get("reason", ""), c.get("message", ""), c.get("field", "")] for c in causes]
    else:
        result["kept"] = keep(body)
    if warnings:
        result["warnings"] = warnings
    return result


def merged(base, patch):
    if not isinstance(patch, dict):
        return patch
    result = dict(base) if isinstance(base, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def with_schema(base, schema):
    definition = json.loads(json.dumps(base))
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = merged({"type": "object"}, schema)
    return definition


def undescribed(node):
    """Without descriptions, which are prose of the server."""
    if isinstance(node, list):
        return [undescribed(n) for n in node]
    if not isinstance(node, dict):
        return node
    return {k: undescribed(v) for k, v in node.items() if k != "description" or not isinstance(v, str)}


crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
definitions = json.load(open(os.path.join(here, "definitions.json")))
values = json.load(open(os.path.join(here, "values.json")))
expected = {"definitions": {}, "values": {}}

bodies = {name: with_schema(definitions["base"], s) for name, s in definitions["schemas"].items()}
bodies |= {name: merged(definitions["base"], p) for name, p in definitions["patches"].items()}
for name, body in bodies.items():
    expected["definitions"][name] = told(call("POST", crds + "?dryRun=All", body), lambda b: b["spec"])

properties = {v["name"]: v["schema"] for v in values}
definition = with_schema(definitions["base"], {"properties": {"spec": {"type": "object", "properties": properties}}})
created = call("POST", crds, definition)
assert created[0] in (201, 409), created
objects = "/apis/rules.example.com/v1/namespaces/default/things"
while call("GET", objects)[0] != 200:
    time.sleep(0.2)
published = "/openapi/v3/apis/rules.example.com/v1"
while "com.example.rules.v1.Thing" not in call("GET", published)[1].get("components", {}).get("schemas", {}):
    time.sleep(0.2)
components = call("GET", published)[1]["components"]["schemas"]
expected["published"] = undescribed(components["com.example.rules.v1.Thing"])
expected["publishedList"] = undescribed(components["com.example.rules.v1.ThingList"])
for case in values:
    answers = expected["values"][case["name"]] = []
    for value in case["values"]:
        body = {"apiVersion": "rules.example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {case["name"]: value}}
        answers.append(told(call("POST", objects + "?dryRun=All", body), lambda b: b["spec"]))
call("DELETE", crds + "/" + definition["metadata"]["name"])

with open(os.path.join(here, "expected.json"), "w") as out:
    out.write("{\n")
    sections = []
    for section in ("definitions", "values"):
        lines = [json.dumps(k) + ":" + json.dumps(v, ensure_ascii=False, separators=(",", ":")) for k, v in expected[section].items()]
        sections.append(json.dumps(section) + ":{\n" + ",\n".join(lines) + "\n}")
    for section in ("published", "publishedList"):
        sections.append(json.dumps(section) + ":" + json.dumps(expected[section], ensure_ascii=False, separators=(",", ":")))
    out.write(",\n".join(sections) + "\n}\n")
