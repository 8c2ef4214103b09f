package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A running server whose token file and log levels change, with SIGHUP and without. */
final class ReloadIT {
    private static final Path FOLDER = Checkout.scratch("ReloadIT");
    private static final Path TOKENS = FOLDER.resolve("tokens.csv");
    private static final Path CONFIG = FOLDER.resolve("config.yaml");
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_MINUTE = Duration.ofSeconds(60);

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        write(TOKENS, "first,ann,1,system:masters\n");
        write(CONFIG, configuration("info"));
        // Where the tests run under nohup, SIGHUP is ignored, and a JVM leaves it so.
        fairlead = FairleadProcess.startBy(
                List.of("env", "--default-signal=HUP", Checkout.launcher().toString()),
                FOLDER,
                "--config",
                CONFIG.toString(),
                "--token-auth-file",
                TOKENS.toString(),
                "--log-format",
                "text");
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void sighup_readsTokensAndLogLevelAtOnce_andTheServerGoesOn() {
        long pid = fairlead.pid();
        write(TOKENS, "second,ann,1,system:masters\n");
        write(CONFIG, configuration("debug"));

        fairlead.hangUp();

        Await.until("the new token is known", SOON, () -> status("second") == 200);
        assertThat(status("first")).isEqualTo(401);
        // The line comes once every file was read; the token counted before.
        Await.until(
                "it says what changed",
                SOON,
                () -> fairlead.log()
                        .contains("INFO  Reloading: Files were read again (SIGHUP) certificates=\"unchanged\""
                                + " clientCa=\"unchanged\" tokens=\"changed\" authentication=\"unchanged\""
                                + " auditPolicy=\"unchanged\" logLevel=\"changed\""));

        write(TOKENS, "broken\n");
        write(CONFIG, configuration("loud"));
        fairlead.hangUp();

        Await.until(
                "it says that it refuses the tokens and the level",
                SOON,
                () -> fairlead.log()
                                .contains("WARN  Reloading: Files were read again (SIGHUP) certificates=\"unchanged\""
                                        + " clientCa=\"unchanged\" tokens=\"refused: tokenAuthFile: " + TOKENS
                                        + ": token file, line 1: 1 column ")
                        && fairlead.log()
                                .contains("logLevel=\"refused: " + CONFIG + ":3:11: logLevel: \"loud\""
                                        + " (expected error or warn or info or debug or trace)\""));
        assertThat(status("second")).isEqualTo(200);
        assertThat(fairlead.handle().isAlive()).isTrue();
        assertThat(fairlead.pid()).isEqualTo(pid);
    }

    @Test
    void tokenFileThatWasReplaced_countsWithinAMinute() throws Exception {
        Path beside = FOLDER.resolve("tokens.new");
        write(beside, "followed,ann,1,system:masters\n");
        Files.move(beside, TOKENS, StandardCopyOption.REPLACE_EXISTING);

        Await.until("the new token is known", A_MINUTE, () -> status("followed") == 200);
    }

    @Test
    void levelsOfPackages_thatChangeInTheFile_countWithoutASignal() {
        write(CONFIG, configuration("info") + "logLevels: {io.fairlead.packages: debug, io.fairlead.Nothing: debug}\n");
        Await.until(
                "it says that it refuses them",
                A_MINUTE,
                () -> fairlead.log()
                        .contains(
                                "WARN  Reloading: Changed files cannot be used; what is in use stays files=\"logLevel\""
                                        + " problem=\"" + CONFIG + ":4:12: logLevels: \"io.fairlead.Nothing\""));

        write(CONFIG, configuration("info") + "logLevels: {io.fairlead.packages: debug, io.fairlead: info}\n");
        Await.until(
                "it says that it uses them",
                A_MINUTE.plus(SOON),
                () -> fairlead.log().contains("INFO  Reloading: Changed files are in use files=\"logLevel\""));
    }

    private static int status(String token) {
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), token)) {
            return probe.get("/version").status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String configuration(String logLevel) {
        return """
            apiVersion: config.fairlead.io/v1alpha1
            kind: FairleadConfiguration
            logLevel: %s
            """.formatted(logLevel);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
