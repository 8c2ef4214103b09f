package io.fairlead.ittests;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The JDK's keytool. */
final class KeyTool {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private KeyTool() {}

    /** Makes an EC key and its certificate for two days in a file of PKCS #12, which may have others. */
    static void generate(Path store, String password, String alias, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                password));
        command.addAll(List.of(options));
        Output made = Output.of(Objects.requireNonNull(store.getParent()), Map.of(), "", TIMEOUT, command);
        if (made.exitCode() != 0) {
            throw new IOException("keytool: " + made);
        }
    }
}
