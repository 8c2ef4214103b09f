package io.fairlead.model;

/**
 * An API group and version as they stand in {@code apiVersion}: {@code v1} for the core group, else {@code group/version}.
 *
 * @param group the group; empty for the core group
 * @param version the version, never empty
 */
public record GroupVersion(String group, String version) {
    public GroupVersion {
        if (version.isEmpty() || version.indexOf('/') >= 0 || group.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "group/version: \"" + group + "/" + version + "\" (expected a group and a version without '/')");
        }
    }

    /** Reads an {@code apiVersion}. */
    public static GroupVersion parse(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0
                ? new GroupVersion("", apiVersion)
                : new GroupVersion(apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
    }

    /** The text of {@code apiVersion}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Where an API server serves it: {@code /api/v1} for the core group, else {@code /apis/group/version}. */
    public String path() {
        return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion();
    }

    @Override
    public String toString() {
        return apiVersion();
    }
}
