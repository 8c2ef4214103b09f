package io.fairlead.gateway.authn.jwt;

import io.fairlead.gateway.authn.SystemNames;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whom the claims of an issuer's tokens name, and what they must satisfy (apiserver {@code oidc.go}). Immutable; any thread.
 *
 * @param username the user's name
 * @param groups the user's groups; null for none
 * @param uid the user's uid; null for none
 * @param extra further attributes, by their keys
 * @param required claims that must have these values
 * @param ofClaims conditions about the claims
 * @param ofUser conditions about the user
 */
record ClaimRules(
        Source username,
        @Nullable Source groups,
        @Nullable Source uid,
        Map<String, ClaimExpression> extra,
        Map<String, String> required,
        List<Condition> ofClaims,
        List<Condition> ofUser) {
    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";
    private static final int GROUPS_MAX = 500;
    private static final int USER_BYTES_MAX = 128 * 1024;

    ClaimRules {
        extra = Map.copyOf(extra);
        required = Map.copyOf(required);
        ofClaims = List.copyOf(ofClaims);
        ofUser = List.copyOf(ofUser);
    }

    /** Where an attribute comes from. */
    sealed interface Source {}

    /** A claim, and what is put before its value. */
    record Claim(String name, String prefix) implements Source {}

    /** An expression about all claims. */
    record Expression(ClaimExpression expression) implements Source {}

    /**
     * A condition.
     *
     * @param message for those who do not satisfy it; empty if there is none
     */
    record Condition(ClaimExpression expression, String message) {
        void require(JsonNode value, EvaluationBudget budget) throws RefusedClaimsException {
            if (!expression.holds(value, budget)) {
                throw new RefusedClaimsException(
                        "ConditionNotMet", message.isEmpty() ? "its claims do not satisfy a condition" : message);
            }
        }
    }

    /**
     * The user that claims name.
     *
     * @throws RefusedClaimsException if they name none, do not satisfy a condition, or name one of Kubernetes' own users
     */
    UserInfo user(ObjectNode claims) throws RefusedClaimsException {
        EvaluationBudget budget = new EvaluationBudget();
        UserInfo user =
                new UserInfo(name(claims, budget), uid(claims, budget), groups(claims, budget), extra(claims, budget));
        for (Map.Entry<String, String> claim : required.entrySet()) {
            JsonNode value = claims.path(claim.getKey());
            if (!value.isString() || !value.stringValue().equals(claim.getValue())) {
                throw new RefusedClaimsException(
                        "RequiredClaim", "its claim \"" + claim.getKey() + "\" is not the one that is required");
            }
        }
        for (Condition condition : ofClaims) {
            condition.require(claims, budget);
        }
        for (Condition condition : ofUser) {
            condition.require(tree(user), budget);
        }
        return requireSmall(withoutSystem(user));
    }

    /** Each group is compared with each subject of a binding, and is a header to an attached cluster. */
    private static UserInfo requireSmall(UserInfo user) throws RefusedClaimsException {
        if (user.groups().size() > GROUPS_MAX) {
            throw new RefusedClaimsException(
                    "TooManyGroups",
                    "its claims give " + user.groups().size() + " groups (expected at most " + GROUPS_MAX + ")");
        }
        if (user.bytes() > USER_BYTES_MAX) {
            throw new RefusedClaimsException(
                    "UserTooLarge", "its claims give a user of more than " + USER_BYTES_MAX + " bytes");
        }
        return user;
    }

    private String name(ObjectNode claims, EvaluationBudget budget) throws RefusedClaimsException {
        String name = switch (username) {
            case Claim(String claim, String prefix) -> {
                requireVerifiedEmail(claim, claims);
                String value = text(claim, claims);
                yield value.isEmpty() ? "" : prefix + value;
            }
            case Expression(ClaimExpression expression) -> expression.text(claims, "Username", budget);
        };
        if (name.isEmpty()) {
            throw new RefusedClaimsException("ClaimsWithoutUsername", "its claims give an empty name");
        }
        return name;
    }

    /** An address that its provider has not verified is whatever its owner has typed (OpenID Connect Core, section 5.1). */
    private static void requireVerifiedEmail(String claim, ObjectNode claims) throws RefusedClaimsException {
        JsonNode verified = claims.path("email_verified");
        if (claim.equals("email") && !verified.isMissingNode() && !verified.booleanValue(false)) {
            throw new RefusedClaimsException("EmailNotVerified", "its issuer has not verified the email address");
        }
    }

    private static String text(String claim, ObjectNode claims) throws RefusedClaimsException {
        JsonNode value = claims.path(claim);
        if (!value.isString()) {
            throw new RefusedClaimsException("ClaimMissing", "it has no claim \"" + claim + "\" that is a text");
        }
        return value.stringValue();
    }

    private List<String> groups(ObjectNode claims, EvaluationBudget budget) throws RefusedClaimsException {
        return switch (groups) {
            case null -> List.of();
            case Claim(String claim, String prefix) -> {
                List<String> named = new ArrayList<>();
                JsonNode value = claims.path(claim);
                for (JsonNode one : value.isArray() ? value : Json.array().add(value)) {
                    if (one.isString()) {
                        named.add(prefix + one.stringValue());
                    } else if (!value.isMissingNode() && !value.isNull()) {
                        throw new RefusedClaimsException(
                                "GroupsOfNoText", "its claim \"" + claim + "\" is neither a text nor texts");
                    }
                }
                yield named;
            }
            case Expression(ClaimExpression expression) -> expression.texts(claims, "Groups", budget);
        };
    }

    private String uid(ObjectNode claims, EvaluationBudget budget) throws RefusedClaimsException {
        return switch (uid) {
            case null -> "";
            case Claim(String claim, String _) -> claims.path(claim).isNull() ? "" : text(claim, claims);
            case Expression(ClaimExpression expression) -> expression.text(claims, "UID", budget);
        };
    }

    private Map<String, List<String>> extra(ObjectNode claims, EvaluationBudget budget) throws RefusedClaimsException {
        Map<String, List<String>> found = new LinkedHashMap<>();
        JsonNode id = claims.path("jti");
        if (id.isString() && !id.stringValue().isEmpty()) {
            found.put(CREDENTIAL_ID, List.of("JTI=" + id.stringValue()));
        }
        for (Map.Entry<String, ClaimExpression> one : extra.entrySet()) {
            List<String> values = one.getValue().texts(claims, "Extra", budget);
            if (!values.isEmpty()) {
                found.put(one.getKey(), values);
            }
        }
        return found;
    }

    private static ObjectNode tree(UserInfo user) {
        ObjectNode tree = Json.object().put("username", user.name()).put("uid", user.uid());
        ArrayNode groups = tree.putArray("groups");
        user.groups().forEach(groups::add);
        ObjectNode extra = tree.putObject("extra");
        user.extra().forEach((key, values) -> {
            ArrayNode list = extra.putArray(key);
            values.forEach(list::add);
        });
        return tree;
    }

    /** What is Kubernetes' own no issuer gives: the name is refused, the groups are left out. */
    private static UserInfo withoutSystem(UserInfo user) throws RefusedClaimsException {
        if (SystemNames.isOf(user)) {
            throw new RefusedClaimsException("SystemUsername", "its claims give a name that begins with \"system:\"");
        }
        return SystemNames.without(user);
    }
}
