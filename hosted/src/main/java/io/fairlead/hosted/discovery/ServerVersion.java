package io.fairlead.hosted.discovery;

import io.fairlead.schema.json.Json;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code /version} says: the Kubernetes release whose behaviour is served, with {@code +fairlead} as SemVer build
 * metadata, so that clients compare it as that release and people recognise Fairlead.
 */
final class ServerVersion {
    private static final String MAJOR = "1";
    private static final String MINOR = "36";
    private static final String GIT_VERSION = "v1.36.3+fairlead";

    private ServerVersion() {}

    /** The {@code version.Info} of apimachinery. */
    static ObjectNode document() {
        return Json.object()
                .put("major", MAJOR)
                .put("minor", MINOR)
                .put("emulationMajor", MAJOR)
                .put("emulationMinor", MINOR)
                .put("minCompatibilityMajor", MAJOR)
                .put("minCompatibilityMinor", MINOR)
                .put("gitVersion", GIT_VERSION)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "java" + Runtime.version().feature())
                .put("platform", platform());
    }

    private static String platform() {
        String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/"
                + (architecture.equals("aarch64") ? "arm64" : architecture);
    }
}
