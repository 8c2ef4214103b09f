#!/usr/bin/env python3
"""Asks a kube-apiserver what it makes of strategic-patches.json and writes its answers to strategic-answers.json.

usage: record-strategic-patches.py SERVER-URL BEARER-TOKEN        (the server may be thrown away afterwards)
"""
import http.client, json, os, ssl, sys, time, urllib.error, urllib.request

here = os.path.dirname(os.path.abspath(__file__))
server, token = sys.argv[1:3]
trust = ssl._create_unverified_context()
PATHS = {
    "configmaps": ("/api/v1/namespaces/default/configmaps", "v1", "ConfigMap"),
    "secrets": ("/api/v1/namespaces/default/secrets", "v1", "Secret"),
    "serviceaccounts": ("/api/v1/namespaces/default/serviceaccounts", "v1", "ServiceAccount"),
    "roles": ("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", "rbac.authorization.k8s.io/v1", "Role"),
    "namespaces": ("/api/v1/namespaces", "v1", "Namespace"),
    "customresourcedefinitions": ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "apiextensions.k8s.io/v1", "CustomResourceDefinition"),
}
VOLATILE = ["uid", "creationTimestamp", "resourceVersion", "managedFields", "generation"]


def call(method, path, body=None, kind="application/json"):
    request = urllib.request.Request(server + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", "Bearer " + token)
    request.add_header("Content-Type", kind)
    try:
        with urllib.request.urlopen(request, context=trust) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as e:
        return e.code, json.load(e)
    except http.client.RemoteDisconnected:
        return 500, {"message": "the server fell over"}


def name_of(case, index):
    return "things.smp.example.com" if case["kind"] == "customresourcedefinitions" else "case-%d" % index


def answer(case, index):
    path, version, kind = PATHS[case["kind"]]
    name = name_of(case, index)
    created = json.loads(json.dumps(case["object"]))
    created.update(apiVersion=version, kind=kind)
    created.setdefault("metadata", {})["name"] = name
    code, body = call("POST", path, created)
    while code == 409:
        call("DELETE", path + "/" + name)
        time.sleep(0.2)
        code, body = call("POST", path, created)
    assert code == 201, (case["name"], body)
    validation = case.get("validation", "Strict")
    code, body = call("PATCH", path + "/" + name + "?fieldValidation=" + validation, case["patch"], "application/strategic-merge-patch+json")
    call("PATCH", path + "/" + name, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
    call("DELETE", path + "/" + name)
    if code >= 400:
        return {"code": code, "reason": body.get("reason", ""), "message": body["message"]}
    for field in VOLATILE:
        body["metadata"].pop(field, None)
    if case["kind"] == "customresourcedefinitions":
        body.pop("status")
    return {"code": code, "object": body}


def main():
    with open(os.path.join(here, "strategic-patches.json")) as cases:
        answers = {case["name"]: answer(case, index) for index, case in enumerate(json.load(cases))}
    lines = [json.dumps(name) + ": " + json.dumps(told, ensure_ascii=False) for name, told in answers.items()]
    with open(os.path.join(here, "strategic-answers.json"), "w") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")


main()
