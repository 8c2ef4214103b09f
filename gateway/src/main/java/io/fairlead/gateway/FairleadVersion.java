package io.fairlead.gateway;

import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** Which Fairlead this is. */
public final class FairleadVersion {
    /** The version of the jar, or {@code development} where there is none. */
    public static final String NUMBER = number();

    /** The Kubernetes release whose API behaviour hosted clusters follow. */
    public static final String KUBERNETES = "v1.36.3";

    /** What {@code /fairlead/v1/version} says to those who look for a Fairlead. */
    public static final String PRODUCT = "Fairlead";

    private FairleadVersion() {}

    /** The body of {@code /version}: apimachinery's {@code version.Info}. */
    static ObjectNode info() {
        return Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("gitVersion", KUBERNETES + "+fairlead-" + NUMBER)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", "");
    }

    private static String number() {
        String version = FairleadVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
