package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of volumes, claims and amounts of resources that compare fields (kubernetes {@code pkg/apis/*}{@code /validation}), by Go type. */
final class StorageChecks {
    static final Map<String, Comparison> ALL = Map.ofEntries(
            Map.entry("core/v1.PersistentVolumeSpec", StorageChecks::volume),
            Map.entry("core/v1.PersistentVolumeClaimSpec", StorageChecks::claim),
            Map.entry("core/v1.ResourceRequirements", StorageChecks::requirements),
            Map.entry("core/v1.ResourceQuotaSpec", StorageChecks::quotaSpec),
            Map.entry("core/v1.ResourceQuotaStatus", StorageChecks::quota),
            Map.entry("core/v1.LimitRangeSpec", StorageChecks::limitRange),
            Map.entry("storage/v1.VolumeAttachmentSource", StorageChecks::attachmentSource));

    private static final Struct VOLUMES = ApiTypes.named("core/v1.PersistentVolumeSource");
    private static final Pattern ROOT = Pattern.compile("/(?:\\.{0,2}/)*\\.{0,2}");
    private static final Set<String> LIMITED_TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

    private StorageChecks() {}

    private static void volume(ObjectNode spec, FieldPath path, FieldErrors errors) {
        accessModes(spec, path, errors);
        JsonNode capacity = spec.path("capacity");
        if (!capacity.has("storage") || capacity.size() > 1) {
            errors.notSupported(path.child("capacity"), capacity, List.of("storage"));
        }
        capacity.forEachEntry((name, amount) -> {
            FieldPath at = path.child("capacity").key(name);
            if (value(amount).signum() < 0) {
                errors.invalid(
                        at, Json.nodes().numberNode(value(amount).longValue()), "must be a valid resource quantity");
            }
            if (value(amount).signum() <= 0) {
                errors.invalid(at, amount, "must be greater than zero");
            }
        });
        if (spec.propertyNames().stream().noneMatch(name -> VOLUMES.field(name) != null)) {
            errors.required(path, "must specify a volume type");
        }
        VolumeSources.check(spec, VolumeSources.OF_PERSISTENT_VOLUMES, path, errors);
        boolean isBound = !spec.at("/nodeAffinity/required/nodeSelectorTerms").isEmpty();
        if (spec.path("local").isObject() && !isBound) {
            errors.required(path.child("nodeAffinity"), "Local volume requires node affinity");
        }
        boolean isRoot =
                ROOT.matcher(spec.path("hostPath").path("path").asString("")).matches();
        if (isRoot && spec.path("persistentVolumeReclaimPolicy").asString("").equals("Recycle")) {
            errors.forbidden(
                    path.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'");
        }
        attributes(spec.path("volumeAttributesClassName"), spec.path("csi").isObject(), path, errors);
    }

    private static void attributes(JsonNode name, boolean hasDriver, FieldPath path, FieldErrors errors) {
        if (!name.isString()) {
            return;
        }
        FieldPath at = path.child("volumeAttributesClassName");
        if (name.stringValue().isEmpty()) {
            errors.required(at, "an empty string is disallowed");
        } else {
            errors.invalid(at, name, TextForm.SUBDOMAIN.problems(name.stringValue()));
        }
        if (!hasDriver) {
            errors.required(path.child("csi"), "has to be specified when using volumeAttributesClassName");
        }
    }

    private static void claim(ObjectNode spec, FieldPath path, FieldErrors errors) {
        accessModes(spec, path, errors);
        JsonNode storage = spec.at("/resources/requests/storage");
        FieldPath at = path.child("resources").key("storage");
        if (storage.isMissingNode()) {
            errors.required(at, "");
        } else if (value(storage).signum() <= 0) {
            errors.invalid(at, storage, "must be greater than zero");
        }
        ClaimSources.check(spec, path, errors);
    }

    private static void accessModes(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> modes = new HashSet<>();
        spec.path("accessModes").forEach(mode -> modes.add(mode.asString("")));
        modes.retainAll(Set.of("ReadWriteOncePod", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"));
        if (modes.contains("ReadWriteOncePod") && modes.size() > 1) {
            errors.forbidden(path.child("accessModes"), "may not use ReadWriteOncePod with other access modes");
        }
    }

    private static void requirements(ObjectNode requirements, FieldPath path, FieldErrors errors) {
        ResourceAmounts.check(requirements, ResourceNames::ofContainer, path, errors);
    }

    private static void quotaSpec(ObjectNode spec, FieldPath path, FieldErrors errors) {
        quota(spec, path, errors);
        LimitChecks.scopes(spec, path, errors);
    }

    /** The limits, and in a status what is used of them. */
    private static void quota(ObjectNode quota, FieldPath path, FieldErrors errors) {
        counted(quota.path("hard"), path.child("hard"), errors);
        counted(quota.path("used"), path.child("used"), errors);
    }

    private static void counted(JsonNode limits, FieldPath path, FieldErrors errors) {
        limits.forEachEntry((name, limit) -> {
            FieldPath at = path.key(name);
            ResourceNames.ofQuota(name, at, errors);
            Resources.amount(name, limit, at, errors);
        });
    }

    private static void limitRange(ObjectNode spec, FieldPath path, FieldErrors errors) {
        Set<String> types = new HashSet<>();
        int index = 0;
        for (JsonNode item : spec.path("limits")) {
            String type = item.path("type").asString("");
            FieldPath at = path.child("limits").index(index++).child("type");
            List<String> problems = TextForm.QUALIFIED.problems(type);
            errors.invalid(at, type, problems);
            if (problems.isEmpty() && !type.contains("/") && !LIMITED_TYPES.contains(type)) {
                errors.invalid(at, type, "must be a standard limit type or fully qualified");
            }
            if (!types.add(type)) {
                errors.duplicate(at, type);
            }
        }
    }

    private static void attachmentSource(ObjectNode source, FieldPath path, FieldErrors errors) {
        boolean isNamed = source.path("persistentVolumeName").isString();
        boolean isInline = source.path("inlineVolumeSpec").isObject();
        String rule = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        if (!isNamed && !isInline) {
            errors.required(path, rule);
        } else if (isNamed && isInline) {
            errors.forbidden(path, rule);
        } else if (isNamed) {
            String name = source.path("persistentVolumeName").asString("");
            if (name.isEmpty()) {
                errors.required(path.child("persistentVolumeName"), "must specify non empty persistentVolumeName");
            }
            errors.invalid(path.child("persistentVolumeName"), name, TextForm.SUBDOMAIN.problems(name));
        }
    }

    private static BigDecimal value(JsonNode amount) {
        return Resources.value(amount);
    }
}
