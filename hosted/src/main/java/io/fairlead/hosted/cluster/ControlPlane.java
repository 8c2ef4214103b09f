package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.ApiServices;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.base.BaseHandler;
import io.fairlead.hosted.crd.Converters;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.crd.DefinitionGate;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.identity.SigningKeyIds;
import io.fairlead.hosted.identity.TokenObjects;
import io.fairlead.hosted.kinds.data.ApprovalTimes;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.Companions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.hosted.runtime.CrdRuntime;
import io.fairlead.hosted.runtime.CustomTypes;
import io.fairlead.hosted.verbs.AnswerCapacity;
import io.fairlead.hosted.verbs.Evictions;
import io.fairlead.hosted.verbs.PodLogs;
import io.fairlead.hosted.verbs.ResourceEndpoint;
import io.fairlead.hosted.verbs.Watches;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open cluster.
 *
 * <p>Owns its caches, watches and controllers; closing stops them all and keeps the data.
 */
final class ControlPlane implements HostedCluster, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final Duration CATCH_UP = Duration.ofSeconds(3);
    /** How long closing waits for writes in progress. */
    static final Duration LAST_WRITES = Duration.ofSeconds(5);

    private static final String DEFINITIONS = "customresourcedefinitions";

    /** What RBAC evaluators read on every request. */
    private static final Set<String> CACHED_GROUPS_AND_KINDS = Set.of("rbac.authorization.k8s.io", "Namespace");

    private final ClusterName name;
    private final HandlerFailures failures;
    private final ServiceAccountTokens tokens;
    private final ClusterViews views;
    private final TypeRegistry types;
    private final CrdRuntime runtime;
    private final BaseHandler base;
    private final ObjectWriter writer;
    private final ClusterKeys keys;
    private final String uid;
    private final Shared shared;
    private final WriteGate gate = new WriteGate();
    private final List<ServedResource> builtIn;
    private final DefinitionGate definitionGate;
    private final Optional<ServedResource> apiServices;
    private final ObjectCache cache;
    /** Keeps the caches up to date. */
    private final Follower cached;
    /** Keeps the types up to date. */
    private final Follower defined;

    private final CustomResources customResources;
    private final Watches watches;
    private final RevisionedStore store;
    private final RevisionFeed log;
    private final KeptBytes kept;
    private final List<AutoCloseable> owned = new ArrayList<>();
    /** The read and write paths for clients. */
    private final IncarnationStore own;

    /** What all clusters of a store share. */
    record Shared(
            RevisionedStore store,
            RevisionFeed log,
            HostedSettings settings,
            ClusterViews.Factory views,
            Vitals vitals,
            CommitHook beforeCommit,
            Converters.Shared converters,
            String rootCertificates,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            AnswerCapacity answers,
            EventMemory events,
            ClusterBudget definitions,
            ClusterBudget kept,
            SigningKeyIds signingKeys) {}

    /** Subscribes to nothing and starts nothing, so that a failure here leaks nothing; {@link #start} does. */
    ControlPlane(ClusterName name, ClusterRecords.Incarnation incarnation, Shared shared, List<BuiltInKind> kinds) {
        this.name = name;
        this.failures = new HandlerFailures(name);
        this.uid = incarnation.uid();
        this.keys = new ClusterKeys(uid);
        this.shared = shared;
        this.store = shared.store();
        this.kept = new KeptBytes(
                store,
                own(shared.kept().ofCluster()),
                keys.cluster(),
                kinds.stream()
                        .map(BuiltInKind::type)
                        .filter(ControlPlane::isCached)
                        .map(type -> keys.resource(type.storedAs()))
                        .toList(),
                !name.equals(ClusterName.ROOT));
        this.own = new IncarnationStore(name, store, incarnation.firstRevision(), kept);
        this.log = shared.log();
        this.writer = new ObjectWriter(
                own,
                keys,
                shared.clock(),
                gate,
                shared.settings().objectBytesMax(),
                write -> shared.beforeCommit().before(name, write),
                new Companions(this::served));
        this.definitionGate = new DefinitionGate(own(shared.definitions().ofCluster()));
        this.builtIn = kinds.stream().map(kind -> serve(kind, keys)).toList();
        this.cached = own(follower(Thread.ofVirtual()));
        this.cache = new ObjectCache(
                cached,
                kept,
                builtIn.stream().filter(resource -> isCached(resource.type())).toList());
        this.types = new TypeRegistry(builtIn);
        this.tokens = new ServiceAccountTokens(
                own,
                ClusterRecords.signingKeys(uid),
                shared.signingKeys(),
                new TokenObjects(own, keys, builtIn),
                shared.settings().endpoint() + "/clusters/" + name,
                shared.clock());
        this.views = shared.views().create(name, types, cache, tokens, shared.vitals());
        types.addVirtual(views.virtualTypes());
        this.watches =
                own(new Watches(own, log, shared.settings(), shared.events().share()));
        ServedResource definitions = served("apiextensions.k8s.io", DEFINITIONS).orElseThrow();
        this.customResources = new CustomResources(
                keys,
                definitionGate,
                List.of(new ByViews()),
                InitialObjects.types(builtIn, views).stream()
                        .flatMap(type -> Stream.of(type.groupResource(), type.storedAs()))
                        .collect(Collectors.toSet()),
                new Converters(name, shared.converters(), shared.settings()));
        this.defined = own(follower(Thread.ofPlatform().daemon()));
        new Definitions(defined, definitions, customResources, definitionGate, types, watches);
        this.apiServices = served("apiregistration.k8s.io", RemoteServices.PLURAL);
        apiServices.ifPresent(services -> new RemoteServices(defined, services, types));
        ResourceEndpoint endpoint = new ResourceEndpoint(
                own,
                writer,
                watches,
                views::representation,
                views::authorize,
                shared.settings(),
                shared.answers().share(),
                new Evictions(
                        own, writer, served("policy", "poddisruptionbudgets").orElse(null), shared.clock()),
                new PodLogs(own, name, served("", "nodes").orElse(null)));
        CatchingUp shown = new CatchingUp();
        this.runtime = new CrdRuntime(shown, endpoint, CATCH_UP);
        this.base = new BaseHandler(views, builtIn, endpoint, shown, CATCH_UP);
    }

    @Override
    public ClusterName name() {
        return name;
    }

    String uid() {
        return uid;
    }

    @Override
    public Decision authorize(UserInfo user, RequestInfo request) {
        return views.authorize(user, request);
    }

    @Override
    public @Nullable Object rightsState() {
        return views.rightsState();
    }

    @Override
    public TokenVerdict userOfToken(String token) {
        return tokens.verdict(token);
    }

    @Override
    public Handler crdRuntime() {
        return request -> failures.answered(request, runtime::serve);
    }

    @Override
    public Handler baseHandler() {
        return request -> failures.answered(request, base::serve);
    }

    @Override
    public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
        return types.observe(observer);
    }

    @Override
    public Optional<ApiServices> apiServices() {
        return apiServices.map(_ -> types);
    }

    /** Drops changes up to a compacted revision. */
    void forget(long lastRevision) {
        watches.forget(lastRevision);
    }

    /**
     * Subscribes to the store, creates missing initial objects, and starts the controllers. If it throws, the caller
     * must close this.
     */
    void start() {
        cached.start();
        defined.start();
        new Bootstrap(store, writer, builtIn).create(InitialObjects.of(builtIn, views, shared));
        try {
            cached.awaitShown(CATCH_UP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        new Controllers(this::own, store, keys, writer, gate, builtIn, kept::hold, shared)
                .start(customResources, types, cache, InitialObjects.types(builtIn, views), tokens);
    }

    /** Deletes the events whose last write has this revision or an earlier one. */
    void deleteEvents(long upToRevision) {
        new EventExpiry(name, store, writer, served("", "events").orElseThrow()).deleteUpTo(upToRevision);
    }

    @Override
    public void close() {
        close(LAST_WRITES);
    }

    /**
     * Closes. Writes that are not committed by now are refused, except those that the store still executes after the
     * timeout.
     *
     * @return whether there are none of these
     */
    boolean close(Duration lastWrites) {
        boolean ended = hasEndedWrites(lastWrites);
        if (!ended) {
            LOG.atWarn()
                    .addKeyValue("cluster", name)
                    .log("A cluster is closed while the store still works on its last writes");
        }
        for (AutoCloseable one : owned.reversed()) {
            try {
                one.close();
            } catch (Exception e) {
                LOG.atError().setCause(e).addKeyValue("cluster", name).log("A part of the cluster could not be closed");
            }
        }
        return ended;
    }

    /** Refuses further writes, and returns whether none is in progress after the timeout. */
    boolean hasEndedWrites(Duration patience) {
        try {
            return own.fence(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The handlers' waits for the caches. */
    private final class CatchingUp implements BaseHandler.Shown, CustomTypes {
        @Override
        public void await(ServedResource kind, Duration timeout) throws InterruptedException {
            if (kind.type().plural().equals(DEFINITIONS)) {
                defined.awaitShown(timeout);
            } else if (isCached(kind.type())) {
                cached.awaitShown(timeout);
            }
        }

        @Override
        public boolean awaitDefinitions(Duration timeout) throws InterruptedException {
            return defined.awaitShown(timeout);
        }

        @Override
        public @Nullable Custom find(GroupVersionResource resource) {
            return types.find(resource);
        }
    }

    private static boolean isCached(ResourceType type) {
        return CACHED_GROUPS_AND_KINDS.contains(type.group()) || CACHED_GROUPS_AND_KINDS.contains(type.kind());
    }

    private ServedResource serve(BuiltInKind kind, ClusterKeys keys) {
        ResourceType type = kind.type();
        List<AdmissionHook> admission = new ArrayList<>(kind.admission());
        CommitGuard guard = CommitGuard.NONE;
        if (type.plural().equals(DEFINITIONS)) {
            guard = definitionGate.ofDefinitions(keys.resource(type.storedAs()));
        } else if (ServiceAddresses.areOf(type)) {
            var addresses = new ServiceAddresses(own, keys.resource(type.storedAs()), new SplittableRandom());
            admission.add(addresses);
            guard = addresses;
        }
        if (type.plural().equals(RemoteServices.PLURAL)) {
            admission.add(review -> new ServiceQuota(types).admit(review));
        }
        if (ApprovalTimes.areOf(type)) {
            admission.add(new ApprovalTimes(shared.clock()));
        }
        admission.add(new ByViews());
        return new ServedResource(
                type,
                keys.resource(type.storedAs()),
                BuiltInCodecs.of(kind),
                kind.rules(),
                admission,
                kind.rules().selectableFields(),
                type.subresources().contains(Scale.SUBRESOURCE) ? Scale.OF_WORKLOADS : null,
                () -> true,
                guard,
                kind.rules().deprecation());
    }

    /** The hooks of the views, which may not be made yet. */
    private final class ByViews implements AdmissionHook {
        @Override
        public void admit(Review review) {
            views.admission().forEach(hook -> hook.admit(review));
        }

        @Override
        public void admitValid(Review review) {
            views.admission().forEach(hook -> hook.admitValid(review));
        }
    }

    /** A built-in resource, if the cluster serves it. */
    private Optional<ServedResource> served(String group, String plural) {
        return builtIn.stream()
                .filter(resource -> resource.type().group().equals(group)
                        && resource.type().plural().equals(plural))
                .findFirst();
    }

    private Follower follower(Thread.Builder threads) {
        return new Follower(
                name,
                store,
                log,
                shared.scheduler(),
                threads.name("follower-" + name).factory());
    }

    private <T extends AutoCloseable> T own(T part) {
        owned.add(part);
        return part;
    }
}
