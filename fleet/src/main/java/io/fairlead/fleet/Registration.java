package io.fairlead.fleet;

import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.Status.Cause;
import io.fairlead.model.Status.Details;
import io.fairlead.model.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Authorises registrations: the writer of a {@code Cluster} must not gain access that it did not have.
 *
 * <p>A caller that creates one needs {@code get} on every Secret that it refers to. A caller that changes its servers
 * or credential also needs it on the previous Secrets: otherwise it could take over a credential in two steps, of which
 * the first names a Secret of the caller's own. Addresses that Fairlead may not connect to are refused.
 */
public final class Registration implements AdmissionHook {
    /** Secrets by name that the writer is about to store: a dry run treats them as stored. */
    public static final ScopedValue<Map<String, ObjectNode>> PENDING_SECRETS = ScopedValue.newInstance();

    private static final String ENDPOINTS = "spec.attached.endpoints";

    private final Supplier<HostedCluster> root;
    private final Function<String, Optional<String>> refusedAddress;

    /**
     * The hook.
     *
     * @param root the root cluster, which is not open yet while its kinds are created
     * @param refusedAddress why the host of an endpoint may not be connected to, as far as it is a literal address
     */
    public Registration(Supplier<HostedCluster> root, Function<String, Optional<String>> refusedAddress) {
        this.root = root;
        this.refusedAddress = refusedAddress;
    }

    @Override
    public void admit(Review review) {
        if (!review.subresource().isEmpty()) {
            return;
        }
        switch (review.operation()) {
            case CREATE, UPDATE -> admitWrite(review);
            case DELETE -> admitDeletion(review);
        }
    }

    private static void admitDeletion(Review review) {
        if (review.name().equals(ClusterName.ROOT.value())) {
            throw forbidden(review, "the root cluster holds the registrations of all others and cannot be deleted");
        }
    }

    private void admitWrite(Review review) {
        ClusterSpec.Attached attached = attached(review.object());
        if (attached == null) {
            return;
        }
        ClusterSpec.Attached before = attached(review.old());
        if (before != null && attached.reachesLike(before) && !attached.presentsMoreThan(before)) {
            return;
        }
        requireSecrets(review, attached, "expected of who registers a cluster with it");
        if (before != null) {
            requireSecrets(review, before, "expected of who changes where a cluster that uses it leads");
        }
        if (isWellFormed(attached)) {
            requireUsable(review, attached.withoutCrdRuntime());
            if (attached.crdRuntime() != null) {
                requireUsable(review, attached, attached.crdRuntime());
            }
        }
    }

    /** Admission runs before validation, which refuses all other values and names the field. */
    private static boolean isWellFormed(ClusterSpec.Attached attached) {
        List<String> endpoints = attached.endpoints();
        ClusterSpec.CrdRuntime runtime = attached.crdRuntime();
        return endpoints.stream().allMatch(ClusterRules::isEndpoint)
                && endpoints.isEmpty() != (attached.kubeconfigSecret() == null)
                && (attached.proxyUrl() == null || Target.isProxy(attached.proxyUrl()))
                && (runtime == null || isWellFormed(runtime, endpoints));
    }

    private static boolean isWellFormed(ClusterSpec.CrdRuntime runtime, List<String> base) {
        return !runtime.endpoints().isEmpty()
                && runtime.endpoints().stream()
                        .allMatch(
                                endpoint -> ClusterRules.isEndpoint(endpoint) && !ClusterRules.isAmong(base, endpoint));
    }

    private void requireSecrets(Review review, ClusterSpec.Attached attached, String expectation) {
        for (String secret : attached.secrets()) {
            if (root.get().authorize(review.user(), getSecret(secret)) instanceof Decision.Denied) {
                throw forbidden(
                        review,
                        "user \"" + review.user().name()
                                + "\" cannot get resource \"secrets\" in API group \"\" named \""
                                + secret + "\" in the namespace \"" + RootApi.SYSTEM_NAMESPACE
                                + "\" (" + expectation + ")");
            }
        }
    }

    /** A missing Secret does not refuse the registration: its conditions report it. */
    private void requireUsable(Review review, ClusterSpec.Attached attached) {
        if (attached.proxyUrl() != null) {
            requireAllowed(review, ClusterRules.PROXY_URL, List.of(attached.proxyUrl()));
        }
        switch (requireNoMistake(review, attached)) {
            case Credentials.Unusable _ -> requireAllowed(review, ENDPOINTS, attached.endpoints());
            case Credentials.Resolved resolved ->
                requireAllowed(
                        review,
                        ENDPOINTS,
                        resolved.upstream().endpoints().stream()
                                .map(String::valueOf)
                                .toList());
        }
    }

    private void requireUsable(Review review, ClusterSpec.Attached attached, ClusterSpec.CrdRuntime runtime) {
        requireAllowed(review, ClusterRules.CRD_RUNTIME_ENDPOINTS, runtime.endpoints());
        requireNoMistake(review, attached);
    }

    private Credentials requireNoMistake(Review review, ClusterSpec.Attached attached) {
        RootApi api = new RootApi(root.get());
        Map<String, ObjectNode> toCome = PENDING_SECRETS.orElse(Map.of());
        Credentials credentials = Credentials.of(
                attached,
                name -> Optional.ofNullable(toCome.get(name))
                        .or(() -> api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name)));
        if (credentials instanceof Credentials.Unusable unusable
                && !unusable.reason().equals("SecretNotFound")) {
            throw invalid(review, unusable.field(), unusable.message());
        }
        return credentials;
    }

    private void requireAllowed(Review review, String field, List<String> endpoints) {
        List<String> problems = new ArrayList<>();
        for (String endpoint : endpoints) {
            refusedAddress.apply(endpoint).ifPresent(why -> problems.add("\"" + endpoint + "\": " + why));
        }
        if (!problems.isEmpty()) {
            throw invalid(review, field, String.join("; ", problems));
        }
    }

    private static ClusterSpec.@Nullable Attached attached(@Nullable ObjectNode cluster) {
        return cluster != null
                        && cluster.path("spec").has("attached")
                        && ClusterSpec.of(cluster) instanceof ClusterSpec.Attached attached
                ? attached
                : null;
    }

    private static RequestInfo getSecret(String name) {
        String path = "/api/v1/namespaces/" + RootApi.SYSTEM_NAMESPACE + "/secrets/" + name;
        return new RequestInfo(true, path, "get", "api", "", "v1", RootApi.SYSTEM_NAMESPACE, "secrets", "", name, "");
    }

    private static StatusException forbidden(Review review, String why) {
        String message = "clusters.fairlead.io \"" + review.name() + "\" is forbidden: " + why;
        return new StatusException(new Status(
                403,
                "Forbidden",
                message,
                new Details(review.name(), FairleadKind.GROUP, ClusterKind.KIND.plural(), "", List.of(), 0)));
    }

    private static StatusException invalid(Review review, String field, String problem) {
        String detail = field + ": Invalid value: " + problem;
        return new StatusException(new Status(
                422,
                "Invalid",
                "Cluster.fairlead.io \"" + review.name() + "\" is invalid: " + detail,
                new Details(
                        review.name(),
                        FairleadKind.GROUP,
                        "Cluster",
                        "",
                        List.of(new Cause("FieldValueInvalid", "Invalid value: " + problem, field)),
                        0)));
    }
}
