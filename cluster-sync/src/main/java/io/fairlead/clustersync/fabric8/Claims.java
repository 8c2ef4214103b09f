package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What CRDs and APIServices claim to serve.
 *
 * <p>A CRD claims its served versions once it is Established; while it is Terminating it continues, since reads and
 * deletes still work. An APIService with a service claims its group/version as its router; one that the API server
 * manages for itself from the start ({@code kube-aggregator.kubernetes.io/automanaged: onstart}) claims it as built in;
 * any other belongs to CRDs with their own claims.
 */
final class Claims {
    private static final String AUTOMANAGED = "kube-aggregator.kubernetes.io/automanaged";

    private Claims() {}

    /**
     * Of a CRD.
     *
     * @param versionsMax how many versions may be indexed; one more is kept, so that the index refuses and reports what has more
     * @param implementation what is recorded to act on its objects; empty if nothing is
     */
    static Optional<Holder> of(CrdObject crd, int versionsMax, String implementation) {
        return Optional.of(holder(
                HolderType.CRD,
                crd.getMetadata(),
                isEstablished(crd) ? contributions(crd.getSpec().served(), versionsMax) : List.of(),
                crd.getSpec().defines(),
                implementation));
    }

    static Optional<Holder> of(ApiServiceObject service) {
        String group = text(service.getSpec().group());
        String version = text(service.getSpec().version());
        Optional<HolderType> type = typeOf(service);
        if (type.isEmpty() || !isVersion(group, version)) {
            return Optional.empty();
        }
        Contribution contribution = Contribution.unlisted(new GroupVersion(group, version));
        return Optional.of(holder(type.get(), service.getMetadata(), List.of(contribution), null, ""));
    }

    private static Optional<HolderType> typeOf(ApiServiceObject service) {
        if (service.getSpec().service() != null) {
            return Optional.of(HolderType.API_SERVICE);
        }
        Map<String, String> labels = service.getMetadata().getLabels();
        return labels != null && "onstart".equals(labels.get(AUTOMANAGED))
                ? Optional.of(HolderType.BUILT_IN)
                : Optional.empty();
    }

    private static boolean isEstablished(CrdObject crd) {
        List<CrdObject.@Nullable Condition> conditions = crd.getStatus().conditions();
        return conditions != null
                && conditions.stream()
                        .anyMatch(condition -> condition != null
                                && "Established".equals(condition.type())
                                && "True".equals(condition.status()));
    }

    private static List<Contribution> contributions(CrdObject.ServedSpec spec, int versionsMax) {
        String group = text(spec.group());
        CrdObject.Names names = spec.names();
        String plural = names == null ? "" : text(names.plural());
        List<CrdObject.@Nullable ServedVersion> versions = spec.versions();
        List<Contribution> contributions = new ArrayList<>();
        for (CrdObject.ServedVersion version :
                versions == null ? List.<CrdObject.@Nullable ServedVersion>of() : versions) {
            if (contributions.size() > versionsMax) {
                break;
            }
            if (version != null && version.served() && isVersion(group, text(version.name()))) {
                contributions.add(Contribution.of(new GroupVersion(group, text(version.name())), Set.of(plural)));
            }
        }
        return contributions;
    }

    private static boolean isVersion(String group, String version) {
        return !version.isEmpty() && version.indexOf('/') < 0 && group.indexOf('/') < 0;
    }

    private static Holder holder(
            HolderType type,
            ObjectMeta metadata,
            List<Contribution> contributions,
            @Nullable DefinedType defines,
            String implementation) {
        return new Holder(
                type,
                text(metadata.getName()),
                text(metadata.getUid()),
                text(metadata.getResourceVersion()),
                contributions,
                defines,
                implementation);
    }

    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
