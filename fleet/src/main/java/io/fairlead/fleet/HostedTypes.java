package io.fairlead.fleet;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.StoredDefinition;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.Holding;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Converts the types of a hosted cluster to the form of attached clusters' types. */
final class HostedTypes implements TypeSource {
    private static final Set<HolderType> TYPES =
            EnumSet.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);

    /** The name of the core group, which has none, where one is needed. */
    private static final String CORE = "core";

    private final HostedCluster cluster;
    private final TypeReader reader;

    HostedTypes(HostedCluster cluster, TypeReader reader) {
        this.cluster = cluster;
        this.reader = reader;
    }

    @Override
    public Set<HolderType> types() {
        return TYPES;
    }

    @Override
    public Feed open(Consumer<TypeChange> changes) {
        return new Subscription(changes);
    }

    private TypeChange change(TypeEvent event) {
        return switch (event) {
            case TypeEvent.Complete(List<ServedType> all, long revision) ->
                new TypeChange.Complete(TYPES, holders(all, revision), Long.toString(revision));
            case TypeEvent.Upserted(ServedType type, long revision) -> new TypeChange.Upserted(holder(type, revision));
            case TypeEvent.Removed(ServedType type, long revision) ->
                new TypeChange.Deleted(typeOf(type), nameOf(type), uidOf(type), Long.toString(revision));
        };
    }

    private List<Holder> holders(List<ServedType> types, long revision) {
        return types.stream().map(type -> holder(type, revision)).toList();
    }

    private Holder holder(ServedType type, long revision) {
        StoredDefinition stored = type.definition();
        ObjectNode definition = stored == null ? null : stored.tree();
        List<Contribution> contributions = type.versions().stream()
                .sorted()
                .map(version -> contribution(new GroupVersion(type.group(), version), type))
                .toList();
        return new Holder(
                typeOf(type),
                nameOf(type),
                uidOf(type),
                Long.toString(type.builtIn() ? revision : type.revision()),
                contributions,
                definedBy(definition),
                implementationOf(definition));
    }

    private static Contribution contribution(GroupVersion version, ServedType type) {
        return type.holding() == Holding.API_SERVICE
                ? Contribution.unlisted(version)
                : Contribution.of(version, type.resources());
    }

    private @Nullable DefinedType definedBy(@Nullable ObjectNode definition) {
        return definition == null ? null : reader.read(Json.write(definition.path("spec")));
    }

    private static String implementationOf(@Nullable ObjectNode definition) {
        return definition == null
                ? ""
                : definition
                        .path("metadata")
                        .path("annotations")
                        .path(TypeSource.IMPLEMENTATION)
                        .asString("");
    }

    private static HolderType typeOf(ServedType type) {
        return switch (type.holding()) {
            case BUILT_IN -> HolderType.BUILT_IN;
            case DEFINITION -> HolderType.CRD;
            case API_SERVICE -> HolderType.API_SERVICE;
        };
    }

    private static String nameOf(ServedType type) {
        return type.name().isEmpty() ? CORE : type.name();
    }

    private static String uidOf(ServedType type) {
        return type.uid().isEmpty() ? CORE : type.uid();
    }

    /** One subscription; the cluster is in this process, so its events are never missed. */
    private final class Subscription implements Feed {
        private final AutoCloseable types;

        Subscription(Consumer<TypeChange> changes) {
            this.types = cluster.observeTypes(event -> changes.accept(change(event)));
        }

        @Override
        public Optional<Collection<Holder>> recount() {
            AtomicReference<@Nullable Collection<Holder>> told = new AtomicReference<>();
            close(cluster.observeTypes(event -> {
                if (event instanceof TypeEvent.Complete(List<ServedType> all, long revision)) {
                    told.set(holders(all, revision));
                }
            }));
            return Optional.ofNullable(told.get());
        }

        @Override
        public Optional<Collection<Holder>> ask() {
            return recount();
        }

        @Override
        public long silentNanos() {
            return 0;
        }

        @Override
        public void forget() {}

        @Override
        public void restart() {}

        @Override
        public void hurry() {}

        @Override
        public boolean look() {
            return false;
        }

        @Override
        public void doubt(HolderType type) {}

        @Override
        public void close() {
            close(types);
        }

        private static void close(AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception failure) {
                throw new IllegalStateException("an observer of types cannot be closed", failure);
            }
        }
    }
}
