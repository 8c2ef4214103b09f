package io.fairlead.model;

/**
 * How the path of a resource request is built, which decides whether an API server has a route for it: the same
 * resource, namespace and name can be read from several paths, of which only one fits the resource's scope.
 *
 * @param prefix the legacy verb before the resource, {@code watch} or {@code proxy}; usually empty
 * @param inNamespace whether the resource is below {@code namespaces/NAMESPACE/}
 * @param parts how many segments the path has from the resource on: 1 is a collection, 2 an object, 3 a subresource of
 *     it ({@code Parts} of Kubernetes' {@code RequestInfo})
 */
public record PathShape(String prefix, boolean inNamespace, int parts) {
    /** A non-resource path. */
    static final PathShape NONE = new PathShape("", false, 0);

    /** The shape derived from the named parts, for a request without a path of a client. */
    static PathShape of(String namespace, String resource, String subresource, String name) {
        boolean isNamespace = resource.equals("namespaces") && namespace.equals(name);
        int parts = subresource.isEmpty() ? 2 : 3;
        return new PathShape("", !namespace.isEmpty() && !isNamespace, name.isEmpty() ? 1 : parts);
    }

    public boolean isCollection() {
        return parts == 1;
    }

    public boolean hasPrefix() {
        return !prefix.isEmpty();
    }
}
