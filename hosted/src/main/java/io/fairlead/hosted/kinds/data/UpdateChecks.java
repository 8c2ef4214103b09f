package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Alike;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of single kinds that compare an object with what it was (kubernetes {@code pkg/apis/*}{@code /validation}, {@code Validate…Update}). */
final class UpdateChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final Struct VOLUMES = ApiTypes.named("core/v1.PersistentVolumeSource");
    private static final String IMMUTABLE = "field is immutable";

    private UpdateChecks() {}

    /** Whether a pod has other containers than it had, so that nothing else is compared. */
    static boolean hasOtherContainers(String kind, ObjectNode object, ObjectNode old, FieldErrors errors) {
        for (String list : List.of("containers", "initContainers")) {
            boolean isSame = object.path("spec").path(list).size()
                    == old.path("spec").path(list).size();
            if (kind.equals("Pod") && !isSame) {
                errors.forbidden(SPEC.child(list), "pod updates may not add or remove containers");
                return true;
            }
        }
        return false;
    }

    static void of(String kind, ObjectNode object, ObjectNode old, FieldErrors errors) {
        JsonNode spec = object.path("spec");
        JsonNode oldSpec = old.path("spec");
        switch (kind) {
            case "Node" -> NodeChecks.update(object, old, errors);
            case "PersistentVolume" -> volume(spec, oldSpec, errors);
            case "PersistentVolumeClaim" -> claim(object, old, errors);
            case "Service" -> service(spec, oldSpec, errors);
            case "ServiceCIDR" -> ranges(spec.path("cidrs"), oldSpec.path("cidrs"), errors);
            case "ResourceQuota" -> scopes(spec.path("scopes"), oldSpec.path("scopes"), errors);
            case "Pod" -> PodUpdates.check(spec, oldSpec, errors);
            case "Job" -> JobUpdates.check(object, old, errors);
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
                PolicyChecks.names(object, old, errors);
            case "CSIDriver" -> driver(spec, oldSpec, errors);
            case "CSINode" -> drivers(spec, oldSpec, errors);
            default -> {}
        }
    }

    /** Of the new object as such. */
    static FieldErrors whole(String kind, Struct type, ObjectNode object, ObjectNode old) {
        return kind.equals("StatefulSet") ? StatefulSetUpdates.check(type, object, old) : DataChecks.of(type, object);
    }

    /** A spec without what its kind has checks of its own for; the rest is compared as a whole. */
    static JsonNode fixed(String kind, JsonNode spec, JsonNode old) {
        return kind.equals("Pod") ? PodUpdates.fixed(spec, old) : spec;
    }

    /** Of a new object alone, before all else. */
    static void firstOfNew(String kind, ObjectNode object, FieldErrors errors) {
        if (kind.equals("Job")) {
            JobChecks.selector(object, errors);
        }
    }

    /** Of a new object alone. */
    static void ofNew(String kind, ObjectNode object, FieldErrors errors) {
        switch (kind) {
            case "Pod" -> PodUpdates.create(object.path("spec"), errors);
            case "Job" -> JobChecks.name(object, errors);
            case "ControllerRevision" -> WorkloadChecks.revision(object, errors);
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" -> PolicyChecks.names(object, errors);
            default -> {}
        }
    }

    /** Of a write to the status alone, by one of its subresources. */
    static void ofStatus(String kind, String subresource, ObjectNode object, ObjectNode old, FieldErrors errors) {
        switch (kind) {
            case "Node" -> NodeChecks.update(object, old, errors);
            case "Pod" -> PodUpdates.status(object.path("status"), old.path("status"), errors);
            case "Service" -> BalancerChecks.status(object, errors);
            case "Job" -> JobStatusUpdates.check(object, old, errors);
            case "CertificateSigningRequest" -> Approvals.check(subresource, object, old, errors);
            default -> {}
        }
    }

    private static void volume(JsonNode spec, JsonNode old, FieldErrors errors) {
        JsonNode given = withoutFirstSecret(spec, old);
        boolean isSame = true;
        for (Field field : VOLUMES.fields()) {
            isSame &= Alike.are(given.path(field.name()), old.path(field.name()));
        }
        if (!isSame) {
            errors.forbidden(
                    SPEC.child("persistentvolumesource"), "spec.persistentvolumesource is immutable after creation");
        }
        same(spec.path("volumeMode"), old.path("volumeMode"), FieldPath.of("volumeMode"), errors);
        JsonNode nodes = old.path("nodeAffinity");
        if (nodes.isObject() && !Alike.are(nodes, spec.path("nodeAffinity"))) {
            errors.invalid(
                    FieldPath.of("nodeAffinity"),
                    spec.path("nodeAffinity"),
                    "field is immutable, except for updating from beta label to GA");
        }
        if (old.path("volumeAttributesClassName").isString()
                && !spec.path("volumeAttributesClassName").isString()) {
            errors.forbidden(SPEC.child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden");
        }
    }

    /** The secret for enlarging a volume of a driver may be named later, once. */
    private static JsonNode withoutFirstSecret(JsonNode spec, JsonNode old) {
        String secret = "controllerExpandSecretRef";
        boolean isFirst = old.path("csi").isObject() && !old.path("csi").has(secret);
        if (!isFirst || !spec.path("csi").has(secret)) {
            return spec;
        }
        JsonNode given = spec.deepCopy();
        ((ObjectNode) given.path("csi")).remove(secret);
        return given;
    }

    /** A claim stays as it is, but for its size and class once it is bound, and the name of its volume until there is one. */
    private static void claim(ObjectNode claim, ObjectNode stored, FieldErrors errors) {
        ObjectNode spec = claim.withObjectProperty("spec").deepCopy();
        ObjectNode old = stored.withObjectProperty("spec").deepCopy();
        boolean isBound = claim.path("status").path("phase").asString("").equals("Bound");
        if (isBound) {
            for (ObjectNode either : new ObjectNode[] {spec, old}) {
                either.remove("volumeAttributesClassName");
                if (either.path("resources").path("requests") instanceof ObjectNode requests) {
                    requests.remove("storage");
                }
            }
        }
        if (old.path("volumeName").asString("").isEmpty()) {
            spec.remove("volumeName");
            old.remove("volumeName");
        }
        if (!old.has("storageClassName")) {
            spec.remove("storageClassName");
        }
        if (!spec.equals(old)) {
            errors.forbidden(
                    SPEC,
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        }
        JsonNode mode = claim.path("spec").path("volumeMode");
        same(mode, stored.path("spec").path("volumeMode"), FieldPath.of("volumeMode"), errors);
    }

    private static void service(JsonNode spec, JsonNode old, FieldErrors errors) {
        BalancerChecks.update(spec, old, errors);
        addresses(spec, old, errors);
    }

    private static void addresses(JsonNode spec, JsonNode old, FieldErrors errors) {
        boolean isNamed = isExternal(spec) || isExternal(old);
        JsonNode addresses = spec.path("clusterIPs");
        JsonNode before = old.path("clusterIPs");
        if (isNamed || before.isEmpty()) {
            return;
        }
        FieldPath path = SPEC.child("clusterIPs");
        if (addresses.isEmpty()) {
            errors.invalid(path.index(0), addresses, "primary clusterIP can not be unset");
        } else if (!addresses.get(0).equals(before.get(0))) {
            errors.invalid(path.index(0), addresses, "may not change once set");
        }
        JsonNode families = spec.path("ipFamilies");
        JsonNode familiesBefore = old.path("ipFamilies");
        boolean isHeadless = addresses.path(0).asString("").equals("None")
                || before.path(0).asString("").equals("None");
        if (!isHeadless
                && !families.isEmpty()
                && !familiesBefore.isEmpty()
                && !families.get(0).equals(familiesBefore.get(0))) {
            errors.invalid(SPEC.child("ipFamilies").index(0), families, "may not change once set");
        }
    }

    /** Another range may be added ({@code ValidateServiceCIDRUpdate}). */
    private static void ranges(JsonNode ranges, JsonNode old, FieldErrors errors) {
        for (int i = 0; i < old.size() && i < ranges.size(); i++) {
            same(ranges.get(i), old.get(i), SPEC.child("cidrs").index(i), errors);
        }
    }

    /** In any order ({@code ValidateResourceQuotaUpdate}). */
    private static void scopes(JsonNode scopes, JsonNode old, FieldErrors errors) {
        if (!new HashSet<>(Meta.strings(scopes)).equals(new HashSet<>(Meta.strings(old)))) {
            errors.invalid(SPEC.child("scopes"), scopes, IMMUTABLE);
        }
    }

    private static boolean isExternal(JsonNode spec) {
        return spec.path("type").asString("").equals("ExternalName");
    }

    private static void driver(JsonNode spec, JsonNode old, FieldErrors errors) {
        same(spec.path("attachRequired"), old.path("attachRequired"), SPEC.child("attachedRequired"), errors);
        same(
                spec.path("volumeLifecycleModes"),
                old.path("volumeLifecycleModes"),
                SPEC.child("volumeLifecycleModes"),
                errors);
    }

    private static void drivers(JsonNode spec, JsonNode old, FieldErrors errors) {
        Map<String, JsonNode> byName = new HashMap<>();
        old.path("drivers")
                .forEach(driver -> byName.put(driver.path("name").asString(""), without(driver, "allocatable")));
        for (JsonNode driver : spec.path("drivers")) {
            JsonNode before = byName.get(driver.path("name").asString(""));
            if (before != null && !Alike.are(without(driver, "allocatable"), before)) {
                errors.invalid(SPEC.child("drivers"), driver, IMMUTABLE);
            }
        }
    }

    static JsonNode without(JsonNode value, String member) {
        return value instanceof ObjectNode object ? object.deepCopy().without(member) : value;
    }

    private static void same(JsonNode value, JsonNode old, FieldPath path, FieldErrors errors) {
        if (!Alike.are(value, old)) {
            errors.invalid(path, value, IMMUTABLE);
        }
    }
}
