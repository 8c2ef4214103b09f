package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks of limits of amounts, and of what quotas count, that compare fields (kubernetes {@code pkg/apis/core/validation}), by Go type. */
final class LimitChecks {
    static final Map<String, Comparison> ALL = Map.of("core/v1.LimitRangeItem", LimitChecks::limits);

    private static final List<Set<String>> CONFLICTS =
            List.of(Set.of("BestEffort", "NotBestEffort"), Set.of("Terminating", "NotTerminating"));
    private static final Set<String> OF_PODS =
            Set.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity");
    private static final Set<String> OF_OTHERS = Set.of("PriorityClass", "VolumeAttributesClass");
    private static final Set<String> COMPUTED =
            Set.of("cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
    private static final Set<String> OF_POD_SCOPES =
            Set.of("Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity");

    /** Amounts below it can be counted in thousandths ({@code resource.MaxMilliValue}). */
    private static final long MILLI_MAX = Long.MAX_VALUE / 1000;

    private static final int MILLI_DIGITS = 3;

    private LimitChecks() {}

    private static void limits(ObjectNode item, FieldPath path, FieldErrors errors) {
        String type = item.path("type").asString("");
        List<String> members = List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");
        Set<String> names = new TreeSet<>();
        for (String member : members) {
            boolean isRefused = type.equals("Pod") && member.startsWith("default");
            if (isRefused && !item.path(member).isEmpty()) {
                errors.forbidden(path.child(member), "may not be specified when `type` is 'Pod'");
            } else if (!isRefused) {
                names.addAll(item.path(member).propertyNames());
                names(item.path(member), type, path.child(member), errors);
            }
        }
        boolean isMeasured = item.path("min").has("storage") || item.path("max").has("storage");
        if (type.equals("PersistentVolumeClaim") && !isMeasured) {
            errors.required(
                    path.child("limits"),
                    "either minimum or maximum storage value is required, but neither was provided");
        }
        for (String name : names) {
            JsonNode least = item.path("min").path(name);
            JsonNode most = item.path("max").path(name);
            JsonNode usual =
                    type.equals("Pod") ? item.path("") : item.path("default").path(name);
            JsonNode request = type.equals("Pod")
                    ? item.path("")
                    : item.path("defaultRequest").path(name);
            FieldPath ofRequest = path.child("defaultRequest").key(name);
            FieldPath ofUsual = path.child("default").key(name);
            order(least, "min value", most, "max value", path.child("min").key(name), least, errors);
            order(least, "min value", request, "default request value", ofRequest, request, errors);
            order(request, "default request value", most, "max value", ofRequest, request, errors);
            order(request, "default request value", usual, "default limit value", ofRequest, request, errors);
            order(least, "min value", usual, "default value", ofUsual, least, errors);
            order(usual, "default value", most, "max value", ofUsual, most, errors);
            JsonNode ratio = item.path("maxLimitRequestRatio").path(name);
            if (!ratio.isMissingNode() && Resources.value(ratio).compareTo(BigDecimal.ONE) < 0) {
                errors.invalid(
                        path.child("maxLimitRequestRatio").key(name),
                        ratio,
                        "ratio " + ratio.asString("") + " is less than 1");
            }
            ratio(ratio, least, most, path.child("maxLimitRequestRatio").key(name), errors);
            if (!Resources.mayBeOvercommitted(name)) {
                same(usual, request, name, ofRequest, errors);
            }
        }
    }

    private static void names(JsonNode amounts, String type, FieldPath path, FieldErrors errors) {
        boolean isOfContainers = type.equals("Pod") || type.equals("Container");
        for (String name : amounts.propertyNames()) {
            if (isOfContainers) {
                ResourceNames.ofContainer(name, path.key(name), errors);
            } else {
                ResourceNames.any(name, path.key(name), errors);
            }
        }
    }

    /** A limit cannot be more times its request than the most is of the least. Computed as Go computes it. */
    private static void ratio(JsonNode ratio, JsonNode least, JsonNode most, FieldPath path, FieldErrors errors) {
        if (ratio.isMissingNode() || least.isMissingNode() || most.isMissingNode()) {
            return;
        }
        boolean isSmall = Stream.of(ratio, least, most).allMatch(amount -> whole(amount, 0) < MILLI_MAX);
        int digits = isSmall ? MILLI_DIGITS : 0;
        double bound = (double) whole(most, digits) / whole(least, digits);
        double value = whole(ratio, digits) / (isSmall ? 1000d : 1d);
        if (value > bound && Double.isFinite(bound)) {
            errors.invalid(
                    path,
                    ratio,
                    "ratio " + ratio.asString("") + " is greater than max/min = "
                            + new BigDecimal(bound)
                                    .setScale(6, RoundingMode.HALF_EVEN)
                                    .toPlainString());
        }
    }

    private static long whole(JsonNode amount, int digits) {
        return Resources.value(amount)
                .movePointRight(digits)
                .setScale(0, RoundingMode.UP)
                .longValue();
    }

    /** Of what is not promised twice, the usual limit is the usual request. */
    private static void same(JsonNode usual, JsonNode request, String name, FieldPath path, FieldErrors errors) {
        boolean isComplete = !usual.isMissingNode() && !request.isMissingNode();
        if (isComplete && Resources.value(usual).compareTo(Resources.value(request)) != 0) {
            errors.invalid(
                    path,
                    request,
                    "default value " + usual.asString("") + " must equal to defaultRequest value "
                            + request.asString("") + " in " + name);
        }
    }

    /** Refuses a value that is above another, if both are there. */
    private static void order(
            JsonNode lower,
            String lowerName,
            JsonNode upper,
            String upperName,
            FieldPath path,
            JsonNode shown,
            FieldErrors errors) {
        boolean isComplete = !lower.isMissingNode() && !upper.isMissingNode();
        if (isComplete && Resources.value(lower).compareTo(Resources.value(upper)) > 0) {
            errors.invalid(
                    path,
                    shown,
                    lowerName + " " + lower.asString("") + " is greater than " + upperName + " " + upper.asString(""));
        }
    }

    /** Each scope is judged once, however often it is said. */
    static void scopes(ObjectNode spec, FieldPath path, FieldErrors errors) {
        JsonNode scopes = spec.path("scopes");
        Set<String> names = new LinkedHashSet<>(Meta.strings(scopes));
        FieldPath at = path.child("scopes");
        for (String scope : names) {
            if (isUnknown(scope)) {
                errors.invalid(at, scopes, "unsupported scope");
            } else {
                misapplied(scope, spec, scopes, at, errors);
            }
        }
        conflicts(names, scopes, at, errors);
        JsonNode requirements = spec.path("scopeSelector").path("matchExpressions");
        FieldPath ofSelector = path.child("scopeSelector").child("matchExpressions");
        Set<String> selected = new HashSet<>();
        for (JsonNode requirement : requirements) {
            requirement(requirement, ofSelector, errors);
            String scope = requirement.path("scopeName").asString("");
            if (selected.add(scope) && !isUnknown(scope)) {
                misapplied(scope, spec, spec.path("scopeSelector"), ofSelector, errors);
            }
        }
        conflicts(selected, scopes, ofSelector, errors);
    }

    private static boolean isUnknown(String scope) {
        return !OF_PODS.contains(scope) && !OF_OTHERS.contains(scope);
    }

    private static void conflicts(Set<String> names, JsonNode scopes, FieldPath path, FieldErrors errors) {
        CONFLICTS.stream()
                .filter(names::containsAll)
                .forEach(conflict -> errors.invalid(path, scopes, "conflicting scopes"));
    }

    /** Some scopes count only pods, or what they take, or claims ({@code IsResourceQuotaScopeValidForResource}). */
    private static void misapplied(String scope, ObjectNode spec, JsonNode shown, FieldPath path, FieldErrors errors) {
        for (String resource : spec.path("hard").propertyNames()) {
            boolean isStandard = ResourceNames.isOfQuotas(resource);
            boolean isValid = switch (scope) {
                case "BestEffort" -> resource.equals("pods");
                case "VolumeAttributesClass" ->
                    resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
                default -> !OF_POD_SCOPES.contains(scope) || resource.equals("pods") || COMPUTED.contains(resource);
            };
            if (isStandard && !isValid) {
                errors.invalid(path, shown, "unsupported scope applied to resource");
            }
        }
    }

    private static void requirement(JsonNode requirement, FieldPath path, FieldErrors errors) {
        String scope = requirement.path("scopeName").asString("");
        String operator = requirement.path("operator").asString("");
        JsonNode values = requirement.path("values");
        if (isUnknown(scope)) {
            errors.invalid(path.child("scopeName"), scope, "unsupported scope");
        }
        if (OF_PODS.contains(scope) && !operator.equals("Exists")) {
            errors.invalid(
                    path.child("operator"),
                    operator,
                    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                            + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                            + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
        }
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.required(
                            path.child("values"),
                            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.invalid(
                            path.child("values"),
                            values,
                            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
                }
            }
            default -> errors.invalid(path.child("operator"), operator, "not a valid selector operator");
        }
    }
}
