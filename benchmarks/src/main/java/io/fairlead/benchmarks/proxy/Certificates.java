package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The certificate of all servers, and one of a caller, each beside its key. */
final class Certificates {
    private Certificates() {}

    /** Makes {@code cert} of the servers, {@code callers} that issues, and {@code caller} of an administrator. */
    static void make(Workshop workshop) throws IOException, InterruptedException {
        make(workshop, "cert", "/CN=benchmark", "subjectAltName=DNS:localhost,IP:127.0.0.1");
        make(workshop, "callers", "/CN=callers", "basicConstraints=critical,CA:TRUE");
        make(
                workshop,
                "caller",
                "/O=system:masters/CN=benchmark",
                "extendedKeyUsage=clientAuth",
                "-CA",
                workshop.path("callers.pem").toString(),
                "-CAkey",
                workshop.path("callers.key").toString());
        Files.writeString(
                workshop.path("both.pem"),
                Files.readString(workshop.path("cert.pem")) + Files.readString(workshop.path("cert.key")));
        workshop.word("ca", Base64.getEncoder().encodeToString(Files.readAllBytes(workshop.path("cert.pem"))));
    }

    /** Signed by itself if no issuer is given. */
    private static void make(Workshop workshop, String name, String subject, String extension, String... issuer)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "30",
                "-subj",
                subject,
                "-addext",
                extension,
                "-keyout",
                workshop.path(name + ".key").toString(),
                "-out",
                workshop.path(name + ".pem").toString()));
        command.addAll(List.of(issuer));
        workshop.run("certificate", Workshop.LOAD_CPU, command);
    }
}
