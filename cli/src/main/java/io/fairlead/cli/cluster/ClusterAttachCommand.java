package io.fairlead.cli.cluster;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Registers an API server that runs elsewhere: its credential becomes a Secret, its registration a Cluster. */
@Command(
        name = "attach",
        description = "Attach a cluster that runs elsewhere.",
        footer = {
            "",
            "A caller in system:masters is passed on to the cluster as such, unless --identity is passthrough;",
            "see spec.attached.impersonation.allowSystemMasters of the Cluster to change that."
        })
final class ClusterAttachCommand extends ServerCommand {
    private static final String INSTEAD =
            "--create-service-account has your own kubectl make a credential for Fairlead in the cluster";

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Option(
            names = "--from-kubeconfig",
            paramLabel = "FILE",
            description = "the kubeconfig that leads to the cluster to attach; files that it names are inlined")
    @Nullable
    private Path fromKubeconfig;

    @Option(
            names = "--from-context",
            paramLabel = "NAME",
            description = "the context that leads to the cluster to attach; else the current one of that kubeconfig")
    @Nullable
    private String fromContext;

    /** The context in use, fixed even if the file's current one changes. */
    @Nullable
    private String contextInUse;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CrdRuntimeOptions crdRuntimeOptions;

    @Option(
            names = "--identity",
            paramLabel = "MODE",
            description =
                    "how callers are presented there: impersonate (the default), by Fairlead's right to act as them;"
                            + " request-header, by Fairlead as a front proxy, which takes its client certificate;"
                            + " passthrough, by their own tokens, which must be of that cluster")
    @Nullable
    private String identityOption;

    private CallerIdentity identity = CallerIdentity.IMPERSONATE;

    @Option(
            names = "--create-service-account",
            description =
                    "have your own kubectl, with that kubeconfig, make a ServiceAccount with the least rights in the"
                            + " cluster, and attach with its token, which is renewed by itself; takes kubeconfigs with"
                            + " exec, too")
    private boolean createServiceAccount;

    @Option(
            names = "--replace",
            description =
                    "give a cluster that is attached the server, CA and credential of this kubeconfig, once they have"
                            + " proven to work and to lead to the same cluster; its open watches live on")
    private boolean replace;

    @Option(
            names = "--alias-of",
            paramLabel = "OTHER",
            converter = ClusterId.class,
            description = "the registration of the same cluster beside which this one is wanted")
    @Nullable
    private ClusterName aliasOf;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private RegistrationOptions options;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private WaitOptions wait;

    @Option(
            names = "--print-rbac",
            description = "print the least rights that the credential needs in the cluster, and change nothing")
    private boolean printRbac;

    @Nullable
    private Target target;

    private Optional<CrdRuntimeOptions.CrdRuntime> crdRuntime = Optional.empty();
    private @Nullable ServiceAccountCredential serviceAccount;

    @Override
    public Integer call() throws CommandFailure {
        readIdentity();
        requirePositiveTimeout();
        if (replace && (options.isGiven() || identityOption != null || aliasOf != null)) {
            throw wrongUsage("--label, --require-api-service, --gate-timeout, --alias-of and --identity are for a new"
                    + " registration (expected none of them beside --replace; 'kubectl --context root edit cluster"
                    + " "
                    + cluster.name()
                    + "' changes the one that is there)");
        }
        if (printRbac) {
            requireNoForm();
            out().print(
                            createServiceAccount
                                    ? LeastPrivilege.ofServiceAccount(cluster.name(), identity)
                                    : LeastPrivilege.manifests(cluster.name(), identity));
            out().flush();
            return ExitCodes.OK;
        }
        return super.call();
    }

    @Override
    public void prepare() throws CommandFailure {
        target = createServiceAccount ? readServer() : readTarget();
        crdRuntime = crdRuntimeOptions.read();
    }

    @Override
    public FairleadClient connect() throws CommandFailure {
        try {
            return super.connect();
        } catch (CommandFailure failure) {
            if (fromContext == null && server().namesMissingContext()) {
                throw CommandFailure.of(
                        failure.message(),
                        "--context is a context of the Fairlead server's kubeconfig; --from-context names the one of"
                                + " the cluster to attach");
            }
            throw failure;
        }
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        try {
            return replace ? replace(client) : attach(client);
        } catch (StatusFailure | CommandFailure failure) {
            if (serviceAccount != null && serviceAccount.isMade() && !isServiceAccountNoted(client)) {
                err().println(serviceAccount.removal());
            }
            throw failure;
        }
    }

    private int attach(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        JsonNode attached = register(client);
        if (wait.isWanted()) {
            attached = Readiness.await(client, name, wait.timeout(), err(), () -> unregister(client));
            ClusterUid.asked(client, name, wait.timeout()).note(client, name);
        }
        output().printChange(
                        attached,
                        (wait.isWanted()
                                        ? "attached; kubectl reaches it through " + client.origin() + "/clusters/"
                                                + name
                                        : "attached")
                                + "\n" + identity.told()
                                + options.waiting(name.value()));
        return ExitCodes.OK;
    }

    private int replace(FairleadClient client) throws CommandFailure, StatusFailure {
        JsonNode replaced = new CredentialReplacement(client, cluster.name(), wait.isWanted(), wait.timeout(), err())
                .put(this::credentials, crdRuntime, createServiceAccount);
        output().printChange(
                        replaced, "has another credential; new requests go with it, and watches that are open live on");
        return ExitCodes.OK;
    }

    /** The manifests are YAML with comments, which name the commands to run with them. */
    private void requireNoForm() {
        if (output().form() != OutputOptions.Form.TABLE && output().form() != OutputOptions.Form.YAML) {
            throw wrongUsage("--print-rbac prints manifests in YAML (expected no other --output beside it)");
        }
    }

    private void readIdentity() {
        String given = identityOption;
        if (given != null) {
            identity = CallerIdentity.of(given)
                    .orElseThrow(() -> wrongUsage(UsageProblem.unfit("--identity", given, CallerIdentity.options())));
        }
        if (createServiceAccount && identity == CallerIdentity.REQUEST_HEADER) {
            throw wrongUsage("--create-service-account makes a token (expected it without --identity request-header,"
                    + " which takes the client certificate of a front proxy)");
        }
    }

    private void requirePositiveTimeout() {
        if (!wait.timeout().isPositive()) {
            throw wrongUsage(
                    "timeout \"" + wait.timeout().toSeconds() + "\" (expected at least 1; --no-wait does not wait)");
        }
    }

    private Target readTarget() throws CommandFailure {
        Path file = requiredKubeconfig();
        var _ = readServer(); // An unusable one is not an error of the credential.
        Target read;
        try {
            read = Target.of(
                    Kubeconfig.read(file), fromContext, file.toAbsolutePath().getParent());
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()), INSTEAD);
        }
        PemFields.check(file, read);
        if (read.token() == null && read.clientCertificate() == null) {
            throw CommandFailure.of(
                    file + ": the context has no credential (expected a token or a client certificate)", INSTEAD);
        }
        return read;
    }

    /** The server of the context, whatever its user is. */
    private Target readServer() throws CommandFailure {
        Path file = requiredKubeconfig();
        try {
            Kubeconfig read = Kubeconfig.read(file);
            String used = fromContext == null ? read.currentContext() : fromContext;
            contextInUse = used.isEmpty() ? null : used;
            Target server =
                    Target.ofServer(read, fromContext, file.toAbsolutePath().getParent());
            PemFields.check(file, server);
            return server;
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    private Path requiredKubeconfig() {
        if (fromKubeconfig == null) {
            throw wrongUsage("--from-kubeconfig FILE is missing (expected the cluster's kubeconfig)");
        }
        return fromKubeconfig;
    }

    /**
     * The credential for Fairlead: as in the kubeconfig, or created in the cluster now.
     *
     * @param presented how callers are presented by it
     */
    private Target credentials(CallerIdentity presented) throws CommandFailure {
        Target server = Objects.requireNonNull(target);
        if (!createServiceAccount) {
            presented.requireFit(server, requiredKubeconfig(), INSTEAD);
            return server;
        }
        presented.requireToken();
        OwnKubectl kubectl = new OwnKubectl(requiredKubeconfig(), contextInUse);
        kubectl.requireThere();
        serviceAccount = new ServiceAccountCredential(cluster.name(), presented, kubectl);
        return serviceAccount.make(server);
    }

    /** Whether to print how to remove it when the cluster is deleted. */
    private boolean isServiceAccountNoted(FairleadClient client) {
        try {
            return ServiceAccountCredential.isNotedIn(client.get(Paths.cluster(cluster.name())));
        } catch (StatusFailure | CommandFailure notKnown) {
            return false;
        }
    }

    /** Stores all objects, or none. */
    private JsonNode register(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        try {
            throw existsAlready(name, client.get(Paths.cluster(name)));
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
        }
        if (aliasOf != null) {
            requireRegistered(client, aliasOf);
        }
        Attachment attachment = new Attachment(
                name, Attachment.Names.first(name), credentials(identity), crdRuntime, createServiceAccount);
        return attachment.store(client, registration(attachment));
    }

    private static void requireRegistered(FairleadClient client, ClusterName other)
            throws CommandFailure, StatusFailure {
        try {
            var _ = client.get(Paths.cluster(other));
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
            throw CommandFailure.of(
                    "--alias-of \"" + other + "\" is not registered (expected a registration of the same cluster)",
                    "'fairlead cluster list' lists the clusters that there are");
        }
    }

    /**
     * The alternative: --replace proves that the new credential is for the same cluster, which must be known for that.
     */
    private static CommandFailure existsAlready(ClusterName name, JsonNode registration) {
        String removal = "'fairlead cluster delete " + name + "'";
        if (registration.path("spec").has("hosted")) {
            return CommandFailure.of("cluster \"" + name + "\" exists already, and is hosted", "choose another id");
        }
        if (ClusterUid.noted(registration).isUnknown()
                && Readiness.condition(registration, "Ready")
                        .filter(ready -> ready.path("status").asString("").equals("True"))
                        .isEmpty()) {
            return CommandFailure.of(
                    "cluster \"" + name + "\" exists already, and is not ready",
                    "remove it with " + removal + " and attach it again, or choose another id");
        }
        return CommandFailure.of(
                "cluster \"" + name + "\" exists already",
                "choose another id, give it another credential with --replace, or remove it with " + removal);
    }

    /** Removes what {@link #register} stored. The Secrets are deleted with the registration, at the latest. */
    private void unregister(FairleadClient client) throws CommandFailure, StatusFailure {
        try {
            client.delete(Paths.cluster(cluster.name()));
        } catch (StatusFailure failure) {
            if (failure.code() != 404) {
                throw failure;
            }
        }
        Attachment.Names names = Attachment.Names.first(cluster.name());
        Attachment.removeQuietly(client, Paths.secret(names.kubeconfig()));
        if (crdRuntime.map(CrdRuntimeOptions.CrdRuntime::credential).isPresent()) {
            Attachment.removeQuietly(client, Paths.secret(names.crdRuntime()));
        }
    }

    private ObjectNode registration(Attachment attachment) {
        ObjectNode registration = Json.object();
        registration.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        registration.putObject("metadata").put("name", cluster.name().value());
        ObjectNode spec = registration.putObject("spec");
        if (aliasOf != null) {
            spec.put("aliasOf", aliasOf.value());
        }
        ObjectNode attached = spec.putObject("attached");
        attachment.describe(attached);
        identity.describe(attached);
        if (createServiceAccount) {
            ServiceAccountCredential.note(registration, identity);
        }
        options.describe(registration);
        return registration;
    }
}
