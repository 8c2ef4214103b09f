package io.fairlead.model;

/**
 * What a request asks for, read from its method, path and query by the rules of Kubernetes' {@code RequestInfoFactory}
 * (apiserver {@code endpoints/request/requestinfo.go}). One value is made per request; what is authorised from it is
 * what is served or forwarded.
 *
 * @param resourceRequest whether it is for a resource; otherwise only {@code verb} and {@code path} are set
 * @param path the path below the cluster's prefix, as received
 * @param verb a resource verb ({@code list}), or the method in lower case for a non-resource path
 * @param apiPrefix {@code api} or {@code apis}, empty for a non-resource path
 * @param group the API group, empty for the core group
 * @param version the API version
 * @param namespace the namespace, empty across namespaces and for cluster-scoped resources
 * @param resource the plural resource
 * @param subresource the subresource, empty if none
 * @param name the object's name, or the name that a field selector pins; empty if none
 * @param remainder the path after the subresource ({@code proxy/this/part}), without a leading slash
 * @param shape the form of the path, which the names do not determine
 */
public record RequestInfo(
        boolean resourceRequest,
        String path,
        String verb,
        String apiPrefix,
        String group,
        String version,
        String namespace,
        String resource,
        String subresource,
        String name,
        String remainder,
        PathShape shape) {
    /** A request for a resource without a path: for access reviews, or from this program itself. */
    public RequestInfo(
            boolean resourceRequest,
            String path,
            String verb,
            String apiPrefix,
            String group,
            String version,
            String namespace,
            String resource,
            String subresource,
            String name,
            String remainder) {
        this(
                resourceRequest,
                path,
                verb,
                apiPrefix,
                group,
                version,
                namespace,
                resource,
                subresource,
                name,
                remainder,
                PathShape.of(namespace, resource, subresource, name));
    }

    /**
     * A request for a resource with the path that a client would send.
     *
     * @param namespace empty for all of them, and for a resource without namespaces
     * @param name empty for all objects
     * @param subresource empty for none
     */
    public static RequestInfo resource(
            String verb, GroupVersionResource resource, String namespace, String name, String subresource) {
        String prefix = resource.group().isEmpty() ? "api" : "apis";
        StringBuilder path = new StringBuilder("/").append(prefix);
        path.append('/').append(resource.groupVersion().apiVersion());
        if (!namespace.isEmpty()) {
            path.append("/namespaces/").append(namespace);
        }
        path.append('/').append(resource.resource());
        if (!name.isEmpty()) {
            path.append('/').append(name);
        }
        if (!subresource.isEmpty()) {
            path.append('/').append(subresource);
        }
        return new RequestInfo(
                true,
                path.toString(),
                verb,
                prefix,
                resource.group(),
                resource.version(),
                namespace,
                resource.resource(),
                subresource,
                name,
                "");
    }

    /** A request for a non-resource path ({@code /version}). */
    public static RequestInfo nonResource(String path, String verb) {
        return new RequestInfo(false, path, verb, "", "", "", "", "", "", "", "", PathShape.NONE);
    }

    /** The same with another verb. */
    public RequestInfo withVerb(String other) {
        return new RequestInfo(
                resourceRequest,
                path,
                other,
                apiPrefix,
                group,
                version,
                namespace,
                resource,
                subresource,
                name,
                remainder,
                shape);
    }

    /** The group and resource, as spelled in messages. */
    public GroupResource groupResource() {
        return new GroupResource(group, resource);
    }

    /** Whether it is read-only. */
    public boolean isReadOnly() {
        return switch (verb) {
            case "get", "list", "watch", "head", "options" -> true;
            default -> false;
        };
    }
}
