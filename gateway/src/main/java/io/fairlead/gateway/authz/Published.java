package io.fairlead.gateway.authz;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.stream.Collectors;

/**
 * What a user of another cluster may do with what is published there: everything with the resources of the published
 * versions, since that cluster's API server has allowed the request before it proxied it; and to read what an
 * aggregation layer and its clients need to find them.
 */
final class Published {
    private Published() {}

    /** @throws StatusException with 403 that says what is published */
    static void require(Identity.OfPublication publication, HostedCluster cluster, RequestInfo asked) {
        boolean isAllowed = publication.source().equals(cluster.name())
                && (asked.resourceRequest() ? isOfResource(publication, asked) : isOfDiscovery(publication, asked));
        if (!isAllowed) {
            throw new StatusException(Status.forbidden(publication.user(), asked, reason(publication)));
        }
    }

    private static boolean isOfResource(Identity.OfPublication publication, RequestInfo asked) {
        return asked.apiPrefix().equals("apis")
                && publication.groupVersions().stream()
                        .anyMatch(each -> each.group().equals(asked.group())
                                && each.version().equals(asked.version()));
    }

    private static boolean isOfDiscovery(Identity.OfPublication publication, RequestInfo asked) {
        boolean isRead = asked.verb().equals("get") || asked.verb().equals("head");
        String path = asked.path();
        return isRead
                && switch (path) {
                    case "/apis", "/openapi/v2", "/openapi/v3", "/version", "/healthz" -> true;
                    default ->
                        Target.Gateway.isProbeWithParts(path)
                                || publication.groupVersions().stream().anyMatch(each -> describes(path, each));
                };
    }

    /** Whether a path describes a version, or its group. */
    private static boolean describes(String path, GroupVersion published) {
        return path.equals("/apis/" + published.group())
                || path.equals(published.path())
                || path.equals("/openapi/v3" + published.path());
    }

    private static String reason(Identity.OfPublication publication) {
        return "of cluster \"" + publication.source() + "\" this is not published in cluster \""
                + publication.target() + "\" (expected "
                + publication.groupVersions().stream()
                        .map(GroupVersion::apiVersion)
                        .sorted()
                        .collect(Collectors.joining(", "))
                + ")";
    }
}
