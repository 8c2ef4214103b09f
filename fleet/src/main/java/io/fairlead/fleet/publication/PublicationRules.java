package io.fairlead.fleet.publication;

import io.fairlead.credentials.Pem;
import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status.Cause;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of an {@code APIPublication} beyond its schema: what the aggregation layer of a target would refuse is refused
 * before anything is written there (ValidateAPIService of kube-aggregator, ValidateEndpoints of Kubernetes).
 */
final class PublicationRules implements KindRules {
    /** Keeps a deleted publication until nothing of it is left in its targets. */
    static final String WITHDRAW = "fairlead.io/withdraw-publication";

    /** Those that are served otherwise. */
    private static final Set<String> OTHER_BUILT_INS =
            Set.of("authentication.k8s.io", "authorization.k8s.io", "apiextensions.k8s.io");

    @Override
    public void prepareForCreate(ObjectNode object) {
        Finalizers.set(object, WITHDRAW, true);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode old) {
        if (!old.path("metadata").has("deletionTimestamp")) {
            Finalizers.set(object, WITHDRAW, true);
        }
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        JsonNode spec = object.path("spec");
        List<Cause> causes = new ArrayList<>();
        ClusterSelector.check(spec.path("target"), "spec.target", causes);
        String group = spec.path("group").asString("");
        if (group.equals(FairleadKind.GROUP)) {
            causes.add(invalid("spec.group", group, "any group is expected but that of publications"));
        }
        source(spec, causes);
        hostedSource(spec.path("source").path("cluster").asString(""), group, causes);
        JsonNode backend = spec.path("backend");
        if (backend.has("clusterIP")) {
            String address = backend.path("clusterIP").asString("");
            if (literal(address).isEmpty()) {
                causes.add(invalid("spec.backend.clusterIP", address, "an IP address is expected"));
            }
        }
        addresses(backend.path("addresses"), causes);
        return causes;
    }

    @Override
    public List<Cause> validateUpdate(ObjectNode object, ObjectNode old) {
        List<Cause> causes = new ArrayList<>(validateCreate(object));
        for (String field : List.of("/spec/group", "/spec/backend/namespace", "/spec/backend/service")) {
            String value = object.at(field).asString("");
            if (!value.equals(old.at(field).asString(""))) {
                causes.add(invalid(field.substring(1).replace('/', '.'), value, "field is immutable"));
            }
        }
        String clusterIp = object.at("/spec/backend/clusterIP").asString("");
        if (!clusterIp.equals(old.at("/spec/backend/clusterIP").asString(""))) {
            causes.add(invalid("spec.backend.clusterIP", clusterIp, "field is immutable"));
        }
        String first = "/spec/backend/addresses/0";
        String address = object.at(first).asString("");
        if (address.indexOf(':') < 0 != old.at(first).asString("").indexOf(':') < 0) {
            causes.add(invalid(
                    "spec.backend.addresses[0]", address, "an address of the same version as before is expected"));
        }
        return causes;
    }

    private static void source(JsonNode spec, List<Cause> causes) {
        JsonNode source = spec.path("source");
        boolean isExternal = source.path("external").asBoolean(false);
        if (source.has("cluster") == isExternal) {
            causes.add(new Cause(
                    "FieldValueInvalid",
                    "Invalid value: exactly one of cluster and external: true is expected",
                    "spec.source"));
        } else if (!isExternal && spec.has("caBundle")) {
            causes.add(new Cause(
                    "FieldValueForbidden",
                    "Forbidden: Fairlead makes the certificate of a hosted cluster (expected none)",
                    "spec.caBundle"));
        }
        if (isExternal && source.has("types")) {
            causes.add(new Cause(
                    "FieldValueForbidden",
                    "Forbidden: only a hosted cluster says what its types mean",
                    "spec.source.types"));
        }
        if (isExternal) {
            String caBundle = Publication.decoded(spec.path("caBundle").asString(""));
            try {
                if (Pem.certificates("spec.caBundle", caBundle).isEmpty()) {
                    causes.add(invalid("spec.caBundle", "", "at least one PEM certificate is expected"));
                }
            } catch (IllegalArgumentException unreadable) {
                causes.add(invalid("spec.caBundle", "...", "PEM certificates are expected, in base64"));
            }
        }
    }

    /**
     * What a hosted cluster serves without a CRD decides by its users' rights, and users of a target are not its users; and the
     * root cluster is Fairlead's own.
     */
    private static void hostedSource(String source, String group, List<Cause> causes) {
        if (source.equals(ClusterName.ROOT.value())) {
            causes.add(
                    invalid("spec.source.cluster", source, "a hosted cluster is expected that is not Fairlead's own"));
        }
        boolean isBuiltIn = group.indexOf('.') < 0
                || OTHER_BUILT_INS.contains(group)
                || Stream.concat(BuiltInKinds.all().stream(), DataKinds.all().stream())
                        .anyMatch(kind -> kind.type().group().equals(group));
        if (!source.isEmpty() && isBuiltIn) {
            causes.add(invalid("spec.group", group, "a group is expected that CRDs of the hosted cluster define"));
        }
    }

    private static void addresses(JsonNode addresses, List<Cause> causes) {
        int index = 0;
        Boolean isFirstOfVersion4 = null;
        for (JsonNode node : addresses.values()) {
            String field = "spec.backend.addresses[" + index++ + "]";
            String text = node.asString("");
            Optional<InetAddress> address = literal(text);
            if (address.isEmpty()) {
                causes.add(invalid(field, text, "an IP address is expected"));
                continue;
            }
            special(address.get()).ifPresent(what -> causes.add(invalid(field, text, what)));
            boolean isVersion4 = address.get() instanceof Inet4Address;
            if (isFirstOfVersion4 != null && isFirstOfVersion4 != isVersion4) {
                causes.add(invalid(field, text, "an address of the same version as the first one is expected"));
            }
            isFirstOfVersion4 = isFirstOfVersion4 == null ? isVersion4 : isFirstOfVersion4;
        }
    }

    /** What API servers refuse as an endpoint. */
    private static Optional<String> special(InetAddress address) {
        if (address.isAnyLocalAddress()) {
            return Optional.of("may not be unspecified (0.0.0.0 or ::)");
        }
        if (address.isLoopbackAddress()) {
            return Optional.of("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            return Optional.of("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        return address.isMulticastAddress() ? Optional.of("may not be a multicast address") : Optional.empty();
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text)).filter(_ -> text.indexOf('%') < 0);
        } catch (IllegalArgumentException name) {
            return Optional.empty();
        }
    }

    private static Cause invalid(String field, String value, String expected) {
        return new Cause("FieldValueInvalid", "Invalid value: \"" + value + "\": " + expected, field);
    }
}
