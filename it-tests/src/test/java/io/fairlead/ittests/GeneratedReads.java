package io.fairlead.ittests;

import io.fairlead.ittests.GeneratedKinds.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Random gets and lists of one seed: in each form, with selectors and versions that there are and that there are not. */
final class GeneratedReads {
    private static final String METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    private static final List<String> FORMS = List.of(
            TwinClusters.TABLE,
            METADATA,
            METADATA + ",application/json",
            "application/json;as=Table;v=v2;g=meta.k8s.io",
            "application/xml",
            "*/*",
            "application/json;as=Odd;v=v1;g=meta.k8s.io,application/json");
    private static final List<String> LIST_FORMS = List.of(
            TwinClusters.TABLE,
            TwinClusters.TABLE + ",application/json",
            METADATA.replace("Metadata", "MetadataList"),
            METADATA,
            "application/xml");
    private static final List<String> SELECTORS = List.of(
            "fieldSelector=metadata.name%3Dx",
            "fieldSelector=metadata.name!%3Dx",
            "fieldSelector=metadata.namespace%3Done",
            "fieldSelector=metadata.namespace%3Dtwo",
            "fieldSelector=spec.odd%3Dx",
            "fieldSelector=status.phase%3DPending",
            "fieldSelector=spec.mode%3DFast",
            "fieldSelector=spec.number%3D3",
            "fieldSelector=spec.nodeName%3D",
            "fieldSelector=type%3DOpaque",
            "fieldSelector=reason%3DStarted",
            "fieldSelector=name%3Dx",
            "fieldSelector=spec.type%3DClusterIP",
            "fieldSelector=spec.unschedulable%3Dtrue",
            "fieldSelector=status.successful%3D0",
            "fieldSelector=status.replicas%3D0",
            "fieldSelector=spec.signerName%3Dexample.com/signer",
            "fieldSelector=spec.driver%3Da.example.com",
            "fieldSelector=metadata.name",
            "fieldSelector=%3D",
            "labelSelector=p%3Dq",
            "labelSelector=!p",
            "labelSelector=generated+in+(yes,no),p",
            "labelSelector=a+b",
            "labelSelector=p+in+(",
            "labelSelector=p+notin+(q)",
            "labelSelector=generated%3Dyes,app!%3Dweb");
    private static final List<String> PAGES = List.of(
            "limit=1",
            "limit=1",
            "limit=0",
            "limit=-1",
            "limit=x",
            "continue=nonsense&limit=1",
            "resourceVersion=0",
            "resourceVersion=@rv&resourceVersionMatch=Exact",
            "resourceVersionMatch=Exact",
            "resourceVersionMatch=Odd",
            "resourceVersion=0&resourceVersionMatch=Exact",
            "resourceVersion=0&resourceVersionMatch=NotOlderThan",
            "resourceVersion=x",
            "resourceVersion=1&resourceVersionMatch=NotOlderThan&continue=abc",
            "allowWatchBookmarks=true",
            "sendInitialEvents=true",
            "resourceVersion=-1",
            "foo=bar",
            "pretty=true",
            "timeoutSeconds=x");
    /** Of these, kube-apiserver or a hosted cluster makes objects of its own in any namespace. */
    private static final Set<String> MADE = Set.of("configmaps", "serviceaccounts", "secrets", "events");

    private final RandomGenerator random;

    GeneratedReads(RandomGenerator random) {
        this.random = random;
    }

    /** A get of the object at a path. */
    TwinClusters.Request get(String path) {
        String query = random.nextInt(5) > 0
                ? ""
                : pick(List.of(
                        "?resourceVersion=0",
                        "?resourceVersion=x",
                        "?pretty=true",
                        "?resourceVersionMatch=Exact",
                        "?includeObject=None",
                        "?includeObject=Odd",
                        "?foo=bar"));
        TwinClusters.Request get = read(path + query);
        return random.nextInt(3) == 0 ? get.accepting(pick(FORMS)) : get;
    }

    /** A list of what is in a namespace, or of a kind's objects with the label that all generated objects have. */
    TwinClusters.Request list(Kind kind, String collection) {
        List<String> query = new ArrayList<>();
        if (!kind.resource().namespaced() || MADE.contains(kind.resource().plural())) {
            query.add("labelSelector=generated");
        }
        if (random.nextInt(2) == 0) {
            String selector = pick(SELECTORS);
            query.removeIf(given -> selector.startsWith("labelSelector"));
            query.add(
                    selector.startsWith("labelSelector") && !selector.contains("generated")
                            ? selector.replace("labelSelector=", "labelSelector=generated,")
                            : selector);
        }
        if (random.nextInt(2) == 0) {
            query.add(pick(PAGES));
        }
        if (random.nextInt(8) == 0) {
            query.add(pick(List.of(
                    "includeObject=None", "includeObject=Metadata", "includeObject=Object", "includeObject=Odd")));
        }
        TwinClusters.Request list = read(collection + (query.isEmpty() ? "" : "?" + String.join("&", query)));
        return random.nextInt(3) == 0 ? list.accepting(pick(LIST_FORMS)) : list;
    }

    private static TwinClusters.Request read(String target) {
        return new TwinClusters.Request(TwinClusters.ADMIN, "GET", target, "application/json", "");
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
