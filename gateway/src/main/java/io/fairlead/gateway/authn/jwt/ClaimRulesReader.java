package io.fairlead.gateway.authn.jwt;

import io.fairlead.gateway.authn.jwt.ClaimRules.Claim;
import io.fairlead.gateway.authn.jwt.ClaimRules.Condition;
import io.fairlead.gateway.authn.jwt.ClaimRules.Expression;
import io.fairlead.gateway.authn.jwt.ClaimRules.Source;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what one issuer's tokens mean, and reports what is wrong with it. One thread. */
final class ClaimRulesReader {
    private static final String BOTH = "claim and expression can't both be set";
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

    private final FieldErrors errors;
    private final FieldPath rules;
    private final FieldPath conditions;
    private final FieldPath mappings;
    private final Map<String, String> required = new LinkedHashMap<>();
    private final List<Condition> ofClaims = new ArrayList<>();

    /** Reads what is at a path. */
    ClaimRulesReader(FieldErrors errors, FieldPath authenticator) {
        this.errors = errors;
        this.rules = authenticator.child("claimValidationRules");
        this.mappings = authenticator.child("claimMappings");
        this.conditions = authenticator.child("userValidationRules");
    }

    /** The rules; null if the name of users has none, which is reported. */
    @Nullable
    ClaimRules read(JsonNode authenticator) {
        readRules(authenticator.path("claimValidationRules"));
        JsonNode claims = authenticator.path("claimMappings");
        Source username = prefixed(claims.path("username"), mappings.child("username"));
        if (username == null && !isGiven(claims.path("username"))) {
            errors.required(mappings.child("username"), "claim or expression is required");
        }
        Source groups = prefixed(claims.path("groups"), mappings.child("groups"));
        Source uid = uid(claims.path("uid"), mappings.child("uid"));
        Map<String, ClaimExpression> extra = extra(claims.path("extra"), mappings.child("extra"));
        requireVerifiedEmail(username, extra);
        List<Condition> ofUser = conditionsOfUser(authenticator.path("userValidationRules"));
        return username == null ? null : new ClaimRules(username, groups, uid, extra, required, ofClaims, ofUser);
    }

    private static boolean isGiven(JsonNode mapping) {
        return mapping.has("claim") || mapping.has("expression");
    }

    private void readRules(JsonNode list) {
        Set<String> expressions = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode rule = list.get(i);
            FieldPath at = rules.index(i);
            String claim = rule.path("claim").asString("");
            String expression = rule.path("expression").asString("");
            if (!claim.isEmpty() && !expression.isEmpty()) {
                errors.invalid(at, claim, BOTH);
            } else if (!claim.isEmpty()) {
                refuse(rule, "message", at, "may not be specified when claim is set");
                if (required.put(claim, rule.path("requiredValue").asString("")) != null) {
                    errors.duplicate(at.child("claim"), claim);
                }
            } else if (!expression.isEmpty()) {
                refuse(rule, "requiredValue", at, "may not be specified when expression is set");
                if (!expressions.add(expression)) {
                    errors.duplicate(at.child("expression"), expression);
                    continue;
                }
                add(ClaimExpression.conditionOfClaims(expression, at.child("expression"), errors), rule, ofClaims);
            } else {
                errors.required(at, "claim or expression is required");
            }
        }
    }

    private static void add(@Nullable ClaimExpression expression, JsonNode rule, List<Condition> conditions) {
        if (expression != null) {
            conditions.add(new Condition(expression, rule.path("message").asString("")));
        }
    }

    private void refuse(JsonNode rule, String member, FieldPath at, String detail) {
        String value = rule.path(member).asString("");
        if (!value.isEmpty()) {
            errors.invalid(at.child(member), value, detail);
        }
    }

    private @Nullable Source prefixed(JsonNode mapping, FieldPath at) {
        String claim = mapping.path("claim").asString("");
        String expression = mapping.path("expression").asString("");
        JsonNode prefix = mapping.path("prefix");
        if (!claim.isEmpty() && !expression.isEmpty()) {
            errors.invalid(at, "", BOTH);
            return null;
        }
        if (!expression.isEmpty()) {
            if (prefix.isString()) {
                errors.invalid(at.child("prefix"), prefix, "may not be specified when expression is set");
            }
            return expression(expression, at);
        }
        if (!claim.isEmpty() && !prefix.isString()) {
            errors.required(
                    at.child("prefix"),
                    "prefix is required when claim is set. It can be set to an empty string to disable prefixing");
        }
        return claim.isEmpty() ? null : new Claim(claim, prefix.asString(""));
    }

    private @Nullable Source uid(JsonNode mapping, FieldPath at) {
        String claim = mapping.path("claim").asString("");
        String expression = mapping.path("expression").asString("");
        if (!claim.isEmpty() && !expression.isEmpty()) {
            errors.invalid(at, "", BOTH);
            return null;
        }
        if (!expression.isEmpty()) {
            return expression(expression, at);
        }
        return claim.isEmpty() ? null : new Claim(claim, "");
    }

    private @Nullable Source expression(String text, FieldPath at) {
        ClaimExpression expression = ClaimExpression.ofClaims(text, at.child("expression"), errors);
        return expression == null ? null : new Expression(expression);
    }

    private Map<String, ClaimExpression> extra(JsonNode list, FieldPath at) {
        Map<String, ClaimExpression> extra = new LinkedHashMap<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            FieldPath item = at.index(i);
            String key = list.get(i).path("key").asString("");
            String expression = list.get(i).path("valueExpression").asString("");
            requireKey(key, item.child("key"));
            if (!keys.add(key)) {
                errors.duplicate(item.child("key"), key);
            } else if (expression.isEmpty()) {
                errors.required(item.child("valueExpression"), "");
            } else {
                ClaimExpression value = ClaimExpression.ofClaims(expression, item.child("valueExpression"), errors);
                if (value != null) {
                    extra.put(key, value);
                }
            }
        }
        return extra;
    }

    /** One that its maker has to itself, so below a domain ({@code IsDomainPrefixedPath}). */
    private void requireKey(String key, FieldPath field) {
        int slash = key.indexOf('/');
        if (key.isEmpty()) {
            errors.required(field, "");
        } else if (slash <= 0 || slash == key.length() - 1) {
            errors.invalid(field, key, "must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            String domain = key.substring(0, slash);
            Names.dns1123Subdomain(domain).forEach(problem -> errors.invalid(field, domain, problem));
            if (!PATH.matcher(key.substring(slash + 1)).matches()) {
                errors.invalid(
                        field, key.substring(slash + 1), "Invalid path (regex used for validation is '" + PATH + "')");
            }
            if (isOfKubernetes(domain)) {
                errors.invalid(
                        field, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
            }
        }
        if (!key.equals(key.toLowerCase(Locale.ROOT))) {
            errors.invalid(field, key, "must be lowercase");
        }
    }

    private static boolean isOfKubernetes(String domain) {
        return domain.equals("kubernetes.io")
                || domain.endsWith(".kubernetes.io")
                || domain.equals("k8s.io")
                || domain.endsWith(".k8s.io");
    }

    private void requireVerifiedEmail(@Nullable Source username, Map<String, ClaimExpression> extra) {
        if (!(username instanceof Expression(ClaimExpression name)) || !name.reads("email")) {
            return;
        }
        boolean isLookedAt = name.reads("email_verified")
                || extra.values().stream().anyMatch(one -> one.reads("email_verified"))
                || ofClaims.stream().anyMatch(one -> one.expression().reads("email_verified"));
        if (!isLookedAt) {
            errors.invalid(
                    mappings.child("username").child("expression"),
                    name.source(),
                    "claims.email_verified must be used in claimMappings.username.expression or"
                            + " claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when"
                            + " claims.email is used in claimMappings.username.expression");
        }
    }

    private List<Condition> conditionsOfUser(JsonNode list) {
        List<Condition> ofUser = new ArrayList<>();
        Set<String> expressions = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            FieldPath at = conditions.index(i).child("expression");
            String expression = list.get(i).path("expression").asString("");
            if (expression.isEmpty()) {
                errors.required(at, "");
            } else if (!expressions.add(expression)) {
                errors.duplicate(at, expression);
            } else {
                add(ClaimExpression.conditionOfUser(expression, at, errors), list.get(i), ofUser);
            }
        }
        return ofUser;
    }
}
