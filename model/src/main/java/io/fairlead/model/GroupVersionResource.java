package io.fairlead.model;

/**
 * A resource as one version serves it.
 *
 * @param group the group; empty for the core group
 * @param version the version
 * @param resource the plural name
 */
public record GroupVersionResource(String group, String version, String resource) {
    /** The group and version alone. */
    public GroupVersion groupVersion() {
        return new GroupVersion(group, version);
    }

    /** Where an API server serves all its objects. */
    public String path() {
        return groupVersion().path() + "/" + resource;
    }

    /** The resource without its version. */
    public GroupResource groupResource() {
        return new GroupResource(group, resource);
    }
}
