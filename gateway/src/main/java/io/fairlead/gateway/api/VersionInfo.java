package io.fairlead.gateway.api;

import io.fairlead.model.FairleadVersion;
import io.fairlead.schema.json.Json;

/** The answer to {@code /version}: apimachinery's {@code version.Info}. */
public final class VersionInfo {
    private VersionInfo() {}

    /** As JSON in UTF-8. */
    public static byte[] json() {
        return Json.write(Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("gitVersion", FairleadVersion.KUBERNETES + "+fairlead-" + FairleadVersion.NUMBER)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", ""));
    }
}
