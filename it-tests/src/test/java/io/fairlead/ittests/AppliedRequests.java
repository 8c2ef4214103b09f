package io.fairlead.ittests;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Random writes of one seed by some field managers to few objects of several kinds, so that they meet: half of them apply
 * configurations, the others create, replace, patch and delete.
 */
final class AppliedRequests {
    static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: rigs.applied.example.com}
        spec:
          group: applied.example.com
          scope: Namespaced
          names: {plural: rigs, singular: rig, kind: Rig}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      text: {type: string}
                      number: {type: integer, default: 7}
                      either: {x-kubernetes-int-or-string: true}
                      nested: {type: object, properties: {x: {type: string}, in: {type: object, properties: {z: {type: string}}}}}
                      whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
                      parts: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}
                      list: {type: array, items: {type: string}}
                      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                      ports:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [port, protocol]
                        items:
                          type: object
                          required: [port]
                          properties:
                            port: {type: integer}
                            protocol: {type: string, default: TCP}
                            tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  status:
                    type: object
                    properties:
                      phase: {type: string}
                      conditions:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [type]
                        items: {type: object, required: [type], properties: {type: {type: string}, status: {type: string}}}
        """;

    private static final List<String> MANAGERS = List.of("ann", "ben", "kubectl", "");
    private static final String RBAC = "rbac.authorization.k8s.io/v1";
    private static final List<Kind> KINDS = List.of(
            new Kind("/apis/applied.example.com/v1/namespaces/default/rigs", "applied.example.com/v1", "Rig", """
                /spec/text 'a' 'b'; /spec/number 1 2 'many'; /spec/either 1 '1' '50%'; /spec/nested/x 'a' 'b';
                /spec/nested/in {} {'z':'a'} {'z':'b'}; /spec/whole {} {'p':'a'} {'p':'b','q':'a'};
                /spec/parts/p {} {'x':'a'} {'x':'b'}; /spec/parts/q {'x':'a'}; /spec/list [] ['a'] ['b','a'];
                /spec/set [] ['a'] ['b','a'] ['c','b','d']; /spec/free/p 1 {'q':[1]} {'q':[2],'r':'a'};
                /spec/ports [] [{'port':1}] [{'port':1,'protocol':'UDP'},{'port':1,'tags':['a']}]
                [{'port':2,'tags':['a','b']},{'port':1,'protocol':'TCP','tags':['b']}]; /spec/tect 'a';
                /status/phase 'Up' 'Down'; /status/conditions [] [{'type':'A','status':'x'}] [{'type':'B'},{'type':'A'}]\
                """),
            new Kind("/api/v1/namespaces/default/configmaps", "v1", "ConfigMap", """
                /data/p 'a' 'b'; /data/q 'a' 'b' ''; /data/r 'a'; /binaryData/s 'YQ=='; /dota 'a'\
                """),
            new Kind("/api/v1/namespaces/default/secrets", "v1", "Secret", """
                /data/p 'YQ==' 'Yg=='; /data/q 'YQ=='; /stringData/q 'a' 'b'; /stringData/r 'a'; /type 'Opaque'\
                """),
            new Kind("/apis/" + RBAC + "/namespaces/default/roles", RBAC, "Role", """
                /rules [{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]
                [{'apiGroups':[''],'resources':['pods'],'verbs':['get','list']}]\
                """),
            new Kind("/apis/" + RBAC + "/namespaces/default/rolebindings", RBAC, "RoleBinding", """
                /roleRef! {'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'r'} {'kind':'Role','name':'r'};
                /subjects [{'kind':'User','name':'u','apiGroup':'rbac.authorization.k8s.io'}]
                [{'kind':'ServiceAccount','name':'s','namespace':'default'}]\
                """),
            new Kind("/api/v1/namespaces/default/serviceaccounts", "v1", "ServiceAccount", """
                /secrets [] [{'name':'p'}] [{'name':'q'},{'name':'p'}]; /imagePullSecrets [{'name':'p'}] [{'name':'q'}];
                /automountServiceAccountToken true false\
                """),
            new Kind("/apis/coordination.k8s.io/v1/namespaces/default/leases", "coordination.k8s.io/v1", "Lease", """
                /spec/holderIdentity 'a' 'b'; /spec/leaseDurationSeconds 1 2; /spec/renewTime
                '2026-01-01T00:00:00.000000Z'\
                """),
            new Kind("/api/v1/namespaces", "v1", "Namespace", ""));
    private static final String METADATA = """
        /metadata/labels/p 'a' 'b'; /metadata/labels/q 'a' 'b'; /metadata/annotations/r 'a' 'b';
        /metadata/finalizers ['example.com/a'] ['example.com/b','example.com/a']\
        """;

    private final RandomGenerator random;

    AppliedRequests(RandomGenerator random) {
        this.random = random;
    }

    /** A kind and, behind the path of each of its fields, the values that it may have; one marked with ! is always given. */
    private record Kind(String path, String apiVersion, String name, Map<String, List<JsonElement>> fields) {
        Kind(String path, String apiVersion, String name, String fields) {
            this(path, apiVersion, name, read(fields.isBlank() ? METADATA : METADATA + ";" + fields));
        }

        private static Map<String, List<JsonElement>> read(String text) {
            Map<String, List<JsonElement>> fields = new TreeMap<>();
            for (String field : text.split(";", -1)) {
                String[] words = field.strip().split("\\s+", -1);
                fields.put(
                        words[0],
                        List.of(words).subList(1, words.length).stream()
                                .map(JsonParser::parseString)
                                .toList());
            }
            return fields;
        }
    }

    /** The next request of an administrator. */
    TwinClusters.Request next() {
        Kind kind = pick(KINDS);
        String name = kind.path().equals("/api/v1/namespaces")
                ? "applied-" + pick(List.of("x", "y"))
                : pick(List.of("x", "y"));
        JsonObject object = object(kind);
        boolean status = object.has("status") && random.nextBoolean();
        if (status && object.has("spec")) {
            // kube-apiserver forgets all managers if the ignored part of a status is of another type.
            object.getAsJsonObject("spec").remove("number");
        }
        String one = kind.path() + "/" + name + (status ? "/status" : "");
        String manager = pick(MANAGERS);
        String options = "?fieldManager=" + manager + (oneIn(15) ? "&dryRun=All" : "");
        int kindOfWrite = random.nextInt(20);
        if (kindOfWrite < 10) {
            String force = oneIn(3) ? "&force=true" : "";
            return request("PATCH", one + options + force, "application/apply-patch+yaml", named(kind, name, object));
        }
        if (kindOfWrite < 13) {
            return request("POST", kind.path() + options, "application/json", named(kind, name, object));
        }
        if (kindOfWrite < 15 && !kind.name().equals("Rig")) {
            if (oneIn(8)) {
                object.getAsJsonObject("metadata")
                        .add("managedFields", JsonParser.parseString(pick(List.of("[]", "[{}]"))));
            }
            return request("PUT", one + options, "application/json", named(kind, name, object));
        }
        if (kindOfWrite < 19) {
            return request(
                    "PATCH", one + options, "application/merge-patch+json", oneIn(3) ? removals(object) : object);
        }
        return new TwinClusters.Request(
                TwinClusters.ADMIN,
                kind.name().equals("Namespace") ? "GET" : "DELETE",
                kind.path() + "/" + name,
                "application/json",
                "");
    }

    private JsonObject object(Kind kind) {
        JsonObject object = new JsonObject();
        object.add("metadata", new JsonObject());
        kind.fields().forEach((path, values) -> {
            boolean always = path.endsWith("!");
            boolean wrong = path.equals("/dota") || path.equals("/spec/tect");
            if (always || (wrong ? oneIn(40) : oneIn(path.endsWith("finalizers") ? 8 : 3))) {
                put(object, path.replace("!", "").substring(1).split("/", -1), pick(values));
            }
        });
        return object;
    }

    private static void put(JsonObject object, String[] path, JsonElement value) {
        JsonObject at = object;
        for (int i = 0; i < path.length - 1; i++) {
            if (!at.has(path[i])) {
                at.add(path[i], new JsonObject());
            }
            at = at.getAsJsonObject(path[i]);
        }
        at.add(path[path.length - 1], value.deepCopy());
    }

    /** A patch that takes away what an object has. */
    private static JsonObject removals(JsonObject object) {
        JsonObject removals = new JsonObject();
        object.asMap().forEach((name, value) -> {
            if (value.isJsonObject() && !name.equals("roleRef")) {
                removals.add(name, removals(value.getAsJsonObject()));
            } else if (!name.equals("roleRef")) {
                removals.add(name, JsonNull.INSTANCE);
            }
        });
        return removals;
    }

    private static JsonObject named(Kind kind, String name, JsonObject object) {
        object.addProperty("apiVersion", kind.apiVersion());
        object.addProperty("kind", kind.name());
        object.getAsJsonObject("metadata").addProperty("name", name);
        return object;
    }

    private static TwinClusters.Request request(String method, String target, String type, JsonObject body) {
        String text = new GsonBuilder().serializeNulls().create().toJson(body);
        return new TwinClusters.Request(TwinClusters.ADMIN, method, target, type, text);
    }

    private boolean oneIn(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
