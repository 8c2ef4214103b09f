package io.fairlead.gateway.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.kubeconfig.Kubeconfig;
import io.fairlead.gateway.kubeconfig.KubeconfigException;
import io.fairlead.gateway.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Registers an API server that runs elsewhere: its credential becomes a Secret, its registration a Cluster. */
@Command(
        name = "attach",
        description = "Attach a cluster that runs elsewhere.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A caller in system:masters is passed on to the cluster as such; see",
            "spec.attached.impersonation.allowSystemMasters of the Cluster to change that."
        })
final class ClusterAttachCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Parameters(paramLabel = "ID", converter = ClusterId.class, description = "the cluster's id")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterName name;

    @Option(
            names = "--from-kubeconfig",
            paramLabel = "FILE",
            description = "the kubeconfig whose context leads to the cluster; what it needs of other files is inlined")
    @Nullable
    private Path fromKubeconfig;

    @Option(names = "--from-context", paramLabel = "NAME", description = "a context of it other than the current one")
    @Nullable
    private String fromContext;

    @Option(
            names = "--identity",
            paramLabel = "MODE",
            defaultValue = "impersonate",
            description = "how callers are presented there: impersonate")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String identity;

    @Option(names = "--no-wait", description = "do not wait until the cluster is Ready")
    private boolean noWait;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "how long to wait (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds;

    @Option(
            names = "--print-rbac",
            description = "print the least rights that the credential needs in the cluster, and change nothing")
    private boolean printRbac;

    @Override
    public Integer call() throws CommandFailure {
        PrintWriter out = spec.commandLine().getOut();
        requireKnownIdentity();
        if (printRbac) {
            out.print(LeastPrivilege.manifests(name));
            out.flush();
            return ExitCodes.OK;
        }
        Target target = target();
        try (FairleadClient client = server.connect()) {
            register(client, target);
            if (!noWait) {
                Readiness.await(client, name, Duration.ofSeconds(timeoutSeconds));
            }
            out.println("cluster.fairlead.io/" + name + " attached"
                    + (noWait ? "" : "; kubectl reaches it through " + client.origin() + "/clusters/" + name));
            out.println("system:masters is passed on to it as such"
                    + " (spec.attached.impersonation.allowSystemMasters: true)");
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    private void requireKnownIdentity() {
        if (!identity.equals("impersonate")) {
            throw new ParameterException(spec.commandLine(), "identity \"" + identity + "\" (expected impersonate)");
        }
    }

    private Target target() throws CommandFailure {
        if (fromKubeconfig == null) {
            throw new ParameterException(
                    spec.commandLine(), "--from-kubeconfig FILE is missing (expected the cluster's kubeconfig)");
        }
        Target target;
        try {
            Path folder = fromKubeconfig.toAbsolutePath().getParent();
            target = Target.of(Kubeconfig.read(fromKubeconfig), fromContext, folder);
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
        if (target.token() == null && target.clientCertificate() == null) {
            throw CommandFailure.of(
                    fromKubeconfig + ": the context has no credential (expected a token or a client certificate)");
        }
        return target;
    }

    /** Stores both objects, or neither. */
    private void register(FairleadClient client, Target target) throws CommandFailure, StatusFailure {
        String secretName = "cluster-" + name;
        try {
            client.get(Paths.cluster(name));
            throw CommandFailure.of(
                    "cluster \"" + name + "\" exists already",
                    "choose another id, or remove it with 'fairlead cluster delete " + name + "'");
        } catch (StatusFailure missing) {
            if (missing.code() != 404) {
                throw missing;
            }
        }
        storeSecret(client, secretName, target);
        try {
            client.post(Paths.CLUSTERS, cluster(secretName));
        } catch (StatusFailure | CommandFailure failure) {
            removeQuietly(client, secretName);
            throw failure;
        }
    }

    /** A Secret of this name without a Cluster is what an attachment left that was cut short; it is replaced. */
    private void storeSecret(FairleadClient client, String secretName, Target target)
            throws CommandFailure, StatusFailure {
        ObjectNode secret = secret(secretName, target);
        try {
            client.post(Paths.SECRETS, secret);
        } catch (StatusFailure conflict) {
            if (!conflict.reason().equals("AlreadyExists")) {
                throw conflict;
            }
            client.delete(Paths.secret(secretName));
            client.post(Paths.SECRETS, secret);
        }
    }

    private static void removeQuietly(FairleadClient client, String secretName) throws CommandFailure {
        try {
            client.delete(Paths.secret(secretName));
        } catch (StatusFailure alreadyGone) {
            // The failure that led here is the one to report.
            return;
        }
    }

    private ObjectNode secret(String secretName, Target target) {
        ObjectNode secret = Json.object();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "fairlead.io/kubeconfig");
        ObjectNode metadata = secret.putObject("metadata");
        metadata.put("name", secretName).put("namespace", "fairlead-system");
        metadata.putObject("labels").put("fairlead.io/cluster", name.value());
        secret.putObject("data").put("kubeconfig", base64(inlined(target).text()));
        return secret;
    }

    private static Kubeconfig inlined(Target target) {
        Kubeconfig kubeconfig = Kubeconfig.empty();
        kubeconfig.set(target, "target");
        return kubeconfig;
    }

    private ObjectNode cluster(String secretName) {
        ObjectNode cluster = Json.object();
        cluster.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        cluster.putObject("metadata").put("name", name.value());
        ObjectNode attached = cluster.putObject("spec").putObject("attached");
        attached.putObject("kubeconfigSecretRef").put("name", secretName);
        attached.put("identity", "Impersonate");
        attached.putObject("impersonation").put("allowSystemMasters", true);
        return cluster;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
