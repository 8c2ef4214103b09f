package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.text.Quantities;
import java.math.BigDecimal;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Amounts of resources by their names (kubernetes {@code pkg/apis/core/helper}). */
final class Resources {
    static final Set<String> COUNTED = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final String HUGE_PAGES = "hugepages-";

    private Resources() {}

    /** An amount is not negative, and whole if there are no parts of the resource ({@code ValidateResourceQuantityValue}). */
    static void amount(String name, JsonNode amount, FieldPath path, FieldErrors errors) {
        if (value(amount).signum() < 0) {
            errors.invalid(path, amount, "must be greater than or equal to 0");
        }
        if ((COUNTED.contains(name) || isExtended(name))
                && value(amount).remainder(BigDecimal.ONE).signum() != 0) {
            errors.invalid(path, amount, "must be an integer");
        }
    }

    /** Pages come whole ({@code validateResourceQuantityHugePageValue}). */
    static void pages(String name, JsonNode amount, FieldPath path, FieldErrors errors) {
        if (!isHugePage(name)) {
            return;
        }
        BigDecimal size = Quantities.value(name.substring(HUGE_PAGES.length())).orElse(BigDecimal.ZERO);
        boolean isWhole = size.signum() > 0 && value(amount).remainder(size).signum() == 0;
        if (!isWhole) {
            String text = amount.asString("");
            errors.invalid(path, amount, text + " is not positive integer multiple of " + name);
        }
    }

    static boolean isHugePage(String name) {
        return name.startsWith(HUGE_PAGES);
    }

    /** Whether more may be promised than there is. */
    static boolean mayBeOvercommitted(String name) {
        return isNative(name) && !isHugePage(name);
    }

    private static boolean isExtended(String name) {
        return !isNative(name) && !name.startsWith("requests.");
    }

    /** {@code IsNativeResource}. */
    static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    static BigDecimal value(JsonNode amount) {
        return Quantities.value(amount.asString("")).orElse(BigDecimal.ONE);
    }
}
