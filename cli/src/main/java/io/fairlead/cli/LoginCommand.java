package io.fairlead.cli;

import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.schema.json.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints the user of a kubeconfig who logs in at an OpenID provider; the plug-in that it names does that, not Fairlead. */
@Command(
        name = "login",
        description = "Print the user of a kubeconfig who logs in at an OpenID provider by a plug-in of kubectl.",
        footer = {
            "",
            "fairlead login --oidc-issuer-url https://sso.example.com --oidc-client-id fairlead > sso-user.yaml",
            "KUBECONFIG=dev.yaml:sso-user.yaml kubectl --user sso auth whoami"
        })
final class LoginCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Option(
            names = "--oidc-issuer-url",
            paramLabel = "URL",
            required = true,
            description = "the issuer, as the server's authentication configuration has it")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String issuer;

    @Option(
            names = "--oidc-client-id",
            paramLabel = "ID",
            required = true,
            description =
                    "the client that the provider knows; tokens are for it, so the server must have it as an audience")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String client;

    @Option(
            names = "--oidc-extra-scope",
            paramLabel = "SCOPE",
            description = "a scope beside openid, as groups or email; may be given several times")
    private List<String> scopes = new ArrayList<>();

    @Option(
            names = "--plugin",
            paramLabel = "NAME",
            defaultValue = "oidc-login",
            completionCandidates = Plugins.class,
            description = "oidc-login (kubectl's, the default) or kubelogin (the same as a program of its own)")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String plugin;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "sso",
            description = "the name of the user in the kubeconfig (default: sso)")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String user;

    @Override
    public Integer call() {
        requireHttps();
        if (!Plugins.ALL.contains(plugin)) {
            throw wrong(UsageProblem.unfit("--plugin", plugin, UsageProblem.oneOf(Plugins.ALL)));
        }
        ObjectNode config = Json.object().put("apiVersion", "v1").put("kind", "Config");
        ObjectNode named = config.putArray("users").addObject().put("name", user);
        ObjectNode exec = named.putObject("user")
                .putObject("exec")
                .put("apiVersion", "client.authentication.k8s.io/v1")
                .put("command", plugin.equals("kubelogin") ? plugin : "kubectl");
        ArrayNode arguments = exec.putArray("args");
        if (!plugin.equals("kubelogin")) {
            arguments.add(plugin);
        }
        arguments.add("get-token").add("--oidc-issuer-url=" + issuer).add("--oidc-client-id=" + client);
        scopes.forEach(scope -> arguments.add("--oidc-extra-scope=" + scope));
        exec.put("interactiveMode", "IfAvailable");
        exec.put("installHint", "kubectl krew install oidc-login, or see the releases of int128/kubelogin");
        spec.commandLine().getOut().print(Rendering.yaml(config));
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    private void requireHttps() {
        try {
            URI url = new URI(issuer);
            if ("https".equals(url.getScheme()) && url.getHost() != null) {
                return;
            }
        } catch (URISyntaxException none) {
            // Said below.
        }
        throw wrong("--oidc-issuer-url \"" + issuer + "\" (expected an https URL)");
    }

    private ParameterException wrong(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    /** The plug-ins that are known. */
    static final class Plugins implements Iterable<String> {
        static final List<String> ALL = List.of("oidc-login", "kubelogin");

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }
}
