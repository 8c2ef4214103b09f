package io.fairlead.config;

import io.fairlead.model.FileFault;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the files and the folder in a configuration are readable; their content is not checked. */
final class ReadableFiles implements NamedFiles {
    @Override
    public void check(Configuration configuration, Refusal refusal) {
        requireFile("tlsCertFile", configuration.tlsCertFile(), refusal);
        requireFile("tlsPrivateKeyFile", configuration.tlsPrivateKeyFile(), refusal);
        requireFile("clientCaFile", configuration.clientCaFile(), refusal);
        requireFile("requestheader.clientCaFile", configuration.requestheader().clientCaFile(), refusal);
        requireFile("tokenAuthFile", configuration.tokenAuthFile(), refusal);
        requireFile("authenticationConfig", configuration.authenticationConfig(), refusal);
        requireFile("auditPolicyFile", configuration.auditPolicyFile(), refusal);
        Path folder = configuration.clustersDir();
        if (folder != null) {
            require("clustersDir", folder, FileFault.ofListing(folder), refusal);
        }
    }

    private static void requireFile(String key, @Nullable Path file, Refusal refusal) {
        if (file != null) {
            require(key, file, FileFault.ofReading(file), refusal);
        }
    }

    private static void require(String key, Path named, Optional<String> fault, Refusal refusal) {
        fault.ifPresent(why -> refusal.refuse(key, key + ": \"" + named + "\" cannot be read (" + why + ")"));
    }
}
