package io.fairlead.fleet.publication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A hosted cluster, which Fairlead serves to the aggregation layer of a target by the name of the backend.
 *
 * @param cluster the target
 * @param source the hosted cluster
 * @param calls to clusters of this Fairlead
 */
record HostedSource(ClusterName cluster, ClusterName source, Calls calls, OpenBackends backends, Probe probe)
        implements Source {
    /** Where an API server says how its aggregation layer presents callers. */
    private static final String AUTHENTICATION =
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

    private static final int DISCOVERY_BYTES_MAX = 16 * 1024 * 1024;

    /** Of the certificates of a front proxy's CAs. */
    private static final int CA_CHARS_MAX = 64 * 1024;

    /** Of the names of a kind in a ConfigMap of the target, and of the characters of each. */
    private static final int NAMES_MAX = 16;

    private static final int NAME_CHARS_MAX = 256;

    /** Calls of Fairlead's own. */
    @FunctionalInterface
    interface Calls {
        ClusterCalls to(ClusterName cluster) throws CallFailure;
    }

    @Override
    public String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target)
            throws StepFailure, InterruptedException {
        requireSource(publication, stored.isEmpty());
        requireNamespace(publication, target);
        String caBundle = open(publication, stored, target);
        if (!stored.isEmpty()) {
            requireTypes(publication); // What is registered is served as before.
        }
        return caBundle;
    }

    @Override
    public void resume(Publication publication, TargetApi target) throws InterruptedException {
        if (backends.mayResume(publication.uid(), cluster)) {
            try {
                var _ = open(publication, Set.of(), target);
            } catch (StepFailure told) {
                // The step that needs it says the same.
            }
        }
    }

    /** What {@link #prepare} requires of the target; nothing is served. */
    void requireTarget(Publication publication, TargetApi target) throws StepFailure, InterruptedException {
        requireNamespace(publication, target);
        Optional<String> refusal = backends.refusal(publication.backend().serverName(), cluster, frontProxy(target));
        if (refusal.isPresent()) {
            throw new StepFailure("FrontProxyRefused", refusal.get());
        }
    }

    /** It serves what is published, and means by it what is declared. */
    void requireSource(Publication publication, boolean withTypes) throws StepFailure, InterruptedException {
        for (GroupVersion version : publication.groupVersions()) {
            requireServed(version);
        }
        if (withTypes) {
            requireTypes(publication);
        }
    }

    /** What users create is created in a namespace of the target, which is looked up then. */
    private static void requireNamespace(Publication publication, TargetApi target)
            throws StepFailure, InterruptedException {
        String namespace = publication.backend().namespace();
        if (target.get("/api/v1/namespaces/" + namespace).isEmpty()) {
            throw new StepFailure("NamespaceNotFound", "the target has no namespace " + namespace);
        }
    }

    /** How the target's aggregation layer presents callers. */
    private static RequestHeaders frontProxy(TargetApi target) throws StepFailure, InterruptedException {
        ObjectNode said = target.get(AUTHENTICATION)
                .orElseThrow(() -> new StepFailure(
                        "FrontProxyUnknown",
                        "the target has no ConfigMap kube-system/extension-apiserver-authentication"));
        return requestHeaders(said.path("data"));
    }

    /** Serves it to the target's aggregation layer as that presents callers now. */
    private String open(Publication publication, Set<GroupVersion> stored, TargetApi target)
            throws StepFailure, InterruptedException {
        RequestHeaders trusted = frontProxy(target);
        String serverName = publication.backend().serverName();
        Optional<ClusterName> other = backends.sourceInsteadOf(source, serverName, cluster);
        if (other.isPresent()) {
            throw new StepFailure(
                    "BackendClaimed",
                    "hosted cluster \"" + other.get() + "\" is served by Service "
                            + publication.backend().path() + " of the target (expected one source for a Service)");
        }
        Optional<String> refusal = backends.refusal(serverName, cluster, trusted);
        if (refusal.isPresent()) {
            backends.close(publication.uid(), cluster);
            throw new StepFailure("FrontProxyRefused", refusal.get());
        }
        try {
            return backends.open(
                    publication.uid(),
                    serverName,
                    serving -> new PublishedBackend(
                            serverName,
                            cluster,
                            source,
                            served(publication, stored),
                            trusted,
                            serving.certificateChain(),
                            serving.privateKey()));
        } catch (IllegalArgumentException unusable) {
            throw new StepFailure(
                    "AuthorityUnusable",
                    "Secret " + RootApi.SYSTEM_NAMESPACE + "/" + BackendAuthorities.SECRET + " of the root cluster: "
                            + unusable.getMessage());
        }
    }

    private void requireTypes(Publication publication) throws StepFailure, InterruptedException {
        for (Map.Entry<String, TypeDigest> type : publication.types().entrySet()) {
            requireType(type.getKey() + "." + publication.group(), type.getValue());
        }
    }

    @Override
    public boolean isCurrent(String caBundle) {
        return backends.isCurrent(caBundle);
    }

    @Override
    public void probe(Publication publication, String address, GroupVersion version, String caBundle)
            throws StepFailure, InterruptedException {
        probe.probe(publication.backend(), address, version, caBundle, backends.prober(cluster));
    }

    /** Those that the target still asks for are served until they are seen to be gone. */
    private static Set<GroupVersion> served(Publication publication, Set<GroupVersion> stored) {
        Set<GroupVersion> served = new HashSet<>(publication.groupVersions());
        served.addAll(stored);
        return served;
    }

    /** The source serves the version, whatever way leads to it. */
    private void requireServed(GroupVersion version) throws StepFailure, InterruptedException {
        try {
            calls.to(source).read(version.path(), DISCOVERY_BYTES_MAX);
        } catch (CallFailure failure) {
            throw new StepFailure(
                    "SourceNotReady",
                    "hosted cluster \"" + source + "\" does not serve " + version.apiVersion() + ": "
                            + failure.message());
        }
    }

    /** The source means by a name what the publication declares. */
    private void requireType(String name, TypeDigest expected) throws StepFailure, InterruptedException {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name;
        DefinitionDigests found;
        try {
            found = DefinitionDigests.of(Json.readExact(calls.to(source).read(path, DISCOVERY_BYTES_MAX))
                    .root());
        } catch (CallFailure | UnreadableDocumentException failure) {
            throw new StepFailure(
                    "SourceNotReady",
                    "hosted cluster \"" + source + "\" does not say what " + name + " is: " + failure.getMessage());
        }
        if (!found.notUnderstood().isEmpty()) {
            throw new StepFailure(
                    "TypeDiffers",
                    name + " of hosted cluster \"" + source + "\" has what digests do not understand: "
                            + found.notUnderstood().getFirst());
        }
        if (!found.api().equals(expected)) {
            throw new StepFailure(
                    "TypeDiffers",
                    name + " of hosted cluster \"" + source + "\" has the digest " + found.api() + " (expected "
                            + expected + ")");
        }
    }

    private static RequestHeaders requestHeaders(JsonNode data) throws StepFailure {
        String clientCa = data.path("requestheader-client-ca-file").asString("");
        if (clientCa.isBlank()) {
            throw new StepFailure(
                    "FrontProxyUnknown",
                    "the target's aggregation layer has no client certificate (expected kube-apiserver with"
                            + " --requestheader-client-ca-file and --proxy-client-cert-file)");
        }
        if (clientCa.length() > CA_CHARS_MAX) {
            throw new StepFailure(
                    "FrontProxyUnknown",
                    "the CAs of the target's front proxy have " + clientCa.length() + " characters (expected at most "
                            + CA_CHARS_MAX + ")");
        }
        return new RequestHeaders(
                clientCa,
                names(data, "requestheader-allowed-names"),
                names(data, "requestheader-username-headers"),
                names(data, "requestheader-uid-headers"),
                names(data, "requestheader-group-headers"),
                names(data, "requestheader-extra-headers-prefix"));
    }

    /** A list of names is JSON in a text. */
    private static List<String> names(JsonNode data, String key) throws StepFailure {
        String text = data.path(key).asString("[]");
        try {
            Set<String> names = new LinkedHashSet<>();
            Json.read(text.getBytes(UTF_8)).values().forEach(name -> names.add(name.asString("")));
            if (names.size() > NAMES_MAX || names.stream().anyMatch(name -> name.length() > NAME_CHARS_MAX)) {
                throw new StepFailure(
                        "FrontProxyUnknown",
                        "the target's " + key + " is too long (expected at most " + NAMES_MAX + " names of "
                                + NAME_CHARS_MAX + " characters)");
            }
            return List.copyOf(names);
        } catch (UnreadableDocumentException unreadable) {
            throw new StepFailure("FrontProxyUnknown", "the target's " + key + " is no JSON");
        }
    }
}
