package io.fairlead.model;

/**
 * A resource's name and group, spelled as Kubernetes spells it in messages: {@code pods}, {@code deployments.apps}.
 *
 * @param group the group; empty for the core group
 * @param resource the plural name
 */
public record GroupResource(String group, String resource) {
    @Override
    public String toString() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
