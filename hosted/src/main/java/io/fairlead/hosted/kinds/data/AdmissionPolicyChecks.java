package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks of admission policies and their bindings (kubernetes {@code pkg/apis/admissionregistration/validation}), by Go type.
 * Expressions must be there; they are not compiled.
 */
final class AdmissionPolicyChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "admissionregistration/v1.ValidatingAdmissionPolicy", AdmissionPolicyChecks::validating,
            "admissionregistration/v1.MutatingAdmissionPolicySpec", AdmissionPolicyChecks::mutating,
            "admissionregistration/v1.ParamKind", AdmissionPolicyChecks::paramKind,
            "admissionregistration/v1.MatchCondition", AdmissionPolicyChecks::condition,
            "admissionregistration/v1.Variable", AdmissionPolicyChecks::variable,
            "admissionregistration/v1.Validation", AdmissionPolicyChecks::validation,
            "admissionregistration/v1.Mutation", AdmissionPolicyChecks::mutation,
            "admissionregistration/v1.ParamRef", AdmissionPolicyChecks::paramRef,
            "admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec", AdmissionPolicyChecks::binding);

    /** What {@link #ALL} judges itself, by Go type: kube-apiserver has an order of its own, and keys that need the policy's name. */
    static final Map<String, Set<String>> JUDGED = Map.of(
            "admissionregistration/v1.ValidatingAdmissionPolicy", Set.of("spec"),
            "admissionregistration/v1.MutatingAdmissionPolicySpec",
                    Set.of("paramKind", "matchConstraints", "matchConditions", "variables", "mutations"),
            "admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec", Set.of("paramRef", "matchResources"));

    private static final String PACKAGE = "admissionregistration/v1.";
    private static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
    private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");
    private static final List<String> MUTATING_OPERATIONS = List.of("*", "CONNECT", "CREATE", "UPDATE");
    private static final List<String> ABSENT_PARAMS = List.of("Deny", "Allow");
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final Pattern LINE_BREAK = Pattern.compile("[\n\r]");
    private static final int CONDITIONS_MAX = 64;

    private AdmissionPolicyChecks() {}

    private static void validating(ObjectNode policy, FieldPath root, FieldErrors errors) {
        JsonNode spec = policy.path("spec");
        FieldPath path = root.child("spec");
        common(spec, path, errors);
        if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
            for (String member : List.of("validations", "auditAnnotations")) {
                errors.required(path.child(member), "validations or auditAnnotations must contain at least one item");
            }
        }
        each("Validation", spec.path("validations"), path.child("validations"), errors);
        annotations(policy, path.child("auditAnnotations"), errors);
    }

    /** An annotation's key follows the policy's name. */
    private static void annotations(ObjectNode policy, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode annotation : policy.at("/spec/auditAnnotations")) {
            FieldPath at = path.index(index++);
            String key = policy.at("/metadata/name").asString("") + "/"
                    + annotation.path("key").asString("");
            errors.invalid(at.child("key"), key, Names.qualifiedName(key));
            if (annotation.path("valueExpression").asString("").isBlank()) {
                errors.required(at.child("valueExpression"), "valueExpression is not specified");
            }
        }
    }

    private static void mutating(ObjectNode spec, FieldPath path, FieldErrors errors) {
        common(spec, path, errors);
        FieldPath rules = path.child("matchConstraints").child("resourceRules");
        for (JsonNode rule : spec.at("/matchConstraints/resourceRules")) {
            for (JsonNode operation : rule.path("operations")) {
                if (!MUTATING_OPERATIONS.contains(operation.asString(""))) {
                    errors.notSupported(rules.child("operations"), operation, MUTATING_OPERATIONS);
                }
            }
        }
        if (spec.path("mutations").isEmpty()) {
            errors.required(path.child("mutations"), "mutations must contain at least one item");
        }
        each("Mutation", spec.path("mutations"), path.child("mutations"), errors);
        oneOf(REINVOCATIONS, spec, "reinvocationPolicy", path, errors);
    }

    private static void oneOf(List<String> values, JsonNode object, String member, FieldPath path, FieldErrors errors) {
        JsonNode given = object.path(member);
        if (given.asString("").isEmpty()) {
            errors.required(path.child(member), "");
        } else if (!values.contains(given.asString(""))) {
            errors.notSupported(path.child(member), given, values);
        }
    }

    private static void common(JsonNode spec, FieldPath path, FieldErrors errors) {
        JsonNode failure = spec.path("failurePolicy");
        if (!FAILURE_POLICIES.contains(failure.asString("Fail"))) {
            errors.notSupported(path.child("failurePolicy"), failure, FAILURE_POLICIES);
        }
        within("ParamKind", spec.path("paramKind"), path.child("paramKind"), errors);
        JsonNode constraints = spec.path("matchConstraints");
        FieldPath at = path.child("matchConstraints");
        if (constraints.isObject()) {
            within("MatchResources", constraints, at, errors);
            if (constraints.path("resourceRules").isEmpty()) {
                errors.required(at.child("resourceRules"), "");
            }
        } else {
            errors.required(at, "");
        }
        conditions(spec.path("matchConditions"), path.child("matchConditions"), errors);
        each("Variable", spec.path("variables"), path.child("variables"), errors);
    }

    private static void each(String type, JsonNode items, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode item : items) {
            within(type, item, path.index(index++), errors);
        }
    }

    private static void conditions(JsonNode conditions, FieldPath path, FieldErrors errors) {
        if (conditions.size() > CONDITIONS_MAX) {
            errors.tooMany(path, conditions.size(), CONDITIONS_MAX);
        }
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode condition : conditions) {
            FieldPath at = path.index(index++);
            within("MatchCondition", condition, at, errors);
            String name = condition.path("name").asString("");
            if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(at.child("name"), name);
            }
        }
    }

    private static void within(String type, JsonNode value, FieldPath path, FieldErrors errors) {
        if (value instanceof ObjectNode object) {
            DataChecks.within(PACKAGE + type, object, path, errors);
        }
    }

    private static void paramKind(ObjectNode kind, FieldPath path, FieldErrors errors) {
        FieldPath at = path.child("apiVersion");
        String version = kind.path("apiVersion").asString("");
        int slash = version.indexOf('/');
        if (version.isEmpty()) {
            errors.required(at, "");
        } else if (slash != version.lastIndexOf('/')) {
            errors.invalid(at, version, "unexpected GroupVersion string: " + version);
        } else {
            String group = version.substring(0, Math.max(slash, 0));
            String ofGroup = version.substring(slash + 1);
            if (!group.isEmpty()) {
                errors.invalid(at, group, joined(Names.dns1123Subdomain(group)));
            }
            if (ofGroup.isEmpty()) {
                errors.invalid(at, version, "version must be specified");
            } else {
                errors.invalid(at, ofGroup, joined(Names.dns1035Label(ofGroup)));
            }
        }
        String name = kind.path("kind").asString("");
        List<String> problems = Names.dns1035Label(name.toLowerCase(Locale.ROOT));
        if (name.isEmpty()) {
            errors.required(path.child("kind"), "");
        } else if (!problems.isEmpty()) {
            errors.invalid(
                    path.child("kind"),
                    name,
                    "may have mixed case, but should otherwise match: " + String.join(",", problems));
        }
    }

    private static List<String> joined(List<String> problems) {
        return problems.isEmpty() ? problems : List.of(String.join(",", problems));
    }

    private static void condition(ObjectNode condition, FieldPath path, FieldErrors errors) {
        if (condition.path("expression").asString("").isBlank()) {
            errors.required(path.child("expression"), "");
        }
        String name = condition.path("name").asString("");
        if (name.isEmpty()) {
            errors.required(path.child("name"), "");
        } else {
            errors.invalid(path.child("name"), name, Names.qualifiedName(name));
        }
    }

    private static void variable(ObjectNode variable, FieldPath path, FieldErrors errors) {
        String name = variable.path("name").asString("");
        if (name.isBlank()) {
            errors.required(path.child("name"), "name is not specified");
        } else if (!IDENTIFIER.matcher(name).matches()) {
            errors.invalid(path.child("name"), name, "must be a valid CEL identifier");
        }
        if (variable.path("expression").asString("").isBlank()) {
            errors.required(path.child("expression"), "expression is not specified");
        }
    }

    private static void validation(ObjectNode validation, FieldPath path, FieldErrors errors) {
        if (validation.path("expression").asString("").isBlank()) {
            errors.required(path.child("expression"), "expression is not specified");
        }
        for (String member : List.of("messageExpression", "message")) {
            String text = validation.path(member).asString("");
            if (!text.isEmpty() && text.isBlank()) {
                errors.invalid(path.child(member), text, "must be non-empty if specified");
            } else if (member.equals("message")
                    && LINE_BREAK.matcher(text.strip()).find()) {
                errors.invalid(path.child(member), text, "must not contain line breaks");
            }
        }
        JsonNode reason = validation.path("reason");
        if (reason.isString() && !REASONS.contains(reason.stringValue())) {
            errors.notSupported(path.child("reason"), reason, REASONS);
        }
    }

    /** A mutation has what its type says, and no more. */
    private static void mutation(ObjectNode mutation, FieldPath path, FieldErrors errors) {
        String type = mutation.path("patchType").asString("");
        switch (type) {
            case "JSONPatch" -> only("jsonPatch", "applyConfiguration", type, mutation, path, errors);
            case "ApplyConfiguration" -> only("applyConfiguration", "jsonPatch", type, mutation, path, errors);
            default -> {}
        }
    }

    private static void only(
            String member, String other, String type, ObjectNode mutation, FieldPath path, FieldErrors errors) {
        if (!mutation.path(member).isObject()) {
            errors.required(path.child(member), "must be specified when patchType is " + type);
        } else if (mutation.path(member).path("expression").asString("").isBlank()) {
            errors.required(path.child(member).child("expression"), "");
        }
        if (mutation.path(other).isObject()) {
            errors.invalid(path.child(other), "{" + other + "}", "must not be specified when patchType is " + type);
        }
    }

    private static void paramRef(ObjectNode reference, FieldPath path, FieldErrors errors) {
        boolean isNamed = !reference.path("name").asString("").isEmpty();
        boolean selects = reference.path("selector").isObject();
        if (isNamed && selects) {
            errors.forbidden(path.child("name"), "name and selector are mutually exclusive");
            errors.forbidden(path.child("selector"), "name and selector are mutually exclusive");
        } else if (!isNamed && !selects) {
            errors.required(path, "one of name or selector must be specified");
        }
        oneOf(ABSENT_PARAMS, reference, "parameterNotFoundAction", path, errors);
    }

    private static void binding(ObjectNode spec, FieldPath path, FieldErrors errors) {
        within("ParamRef", spec.path("paramRef"), path.child("paramRef"), errors);
        within("MatchResources", spec.path("matchResources"), path.child("matchResources"), errors);
        JsonNode actions = spec.path("validationActions");
        FieldPath at = path.child("validationActions");
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (String action : Meta.strings(actions)) {
            FieldPath item = at.index(index++);
            if (!ACTIONS.contains(action)) {
                errors.notSupported(item, action, ACTIONS);
            }
            if (!seen.add(action)) {
                errors.duplicate(item, action);
            }
        }
        if (seen.contains("Deny") && seen.contains("Warn")) {
            errors.invalid(
                    at,
                    actions,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the"
                            + " API response and headers serves no purpose)");
        }
    }
}
