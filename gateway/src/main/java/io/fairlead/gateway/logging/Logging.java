package io.fairlead.gateway.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import io.fairlead.config.Configuration.LogFormat;
import io.fairlead.config.Configuration.LogLevel;
import io.fairlead.config.LogLevels;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The destination of log lines: always standard error, as text for people and JSON lines for programs. */
public final class Logging {
    /** Set by the launcher if standard error is a terminal, which Java cannot detect for this stream only. */
    private static final String TERMINAL = "fairlead.terminal";

    private static final String OURS = "io.fairlead";

    private Logging() {}

    /** Logs only warnings of the program itself: for short commands. */
    public static void quiet() {
        use(LogFormat.TEXT, Level.ERROR, Map.of());
    }

    /** Logs what a server does. */
    public static void configure(LogFormat format, LogLevel level, LogLevels levels) {
        use(format, level(level), levels.byName());
    }

    /** Logs lines from other levels on, in the configured form. */
    public static void change(LogLevel level, LogLevels levels) {
        use((LoggerContext) LoggerFactory.getILoggerFactory(), level(level), levels.byName());
    }

    private static void use(LogFormat format, Level level, Map<String, LogLevel> levels) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context, format));
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        use(context, level, levels);
        // Its Reflector logs a stack trace for each failed list; the status of the cluster reports the cause.
        context.getLogger("io.fabric8").setLevel(Level.OFF);
    }

    /** Names that had a level of their own before, and have none now, get that of what they belong to. */
    private static void use(LoggerContext context, Level level, Map<String, LogLevel> levels) {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
        context.getLogger(OURS).setLevel(level);
        levels.forEach((name, own) -> context.getLogger(name).setLevel(level(own)));
        context.getLoggerList().stream()
                .filter(logger -> logger.getName().startsWith(OURS + ".") && !levels.containsKey(logger.getName()))
                .forEach(logger -> logger.setLevel(null));
    }

    private static Level level(LogLevel level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, LogFormat format) {
        boolean text = switch (format) {
            case TEXT -> true;
            case JSON -> false;
            case AUTO -> Boolean.getBoolean(TERMINAL);
        };
        Layout<ILoggingEvent> layout = text ? new TextLayout(context) : new JsonLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        if (!text) {
            encoder.setCharset(UTF_8); // RFC 8259 section 8.1; a terminal has its own charset.
        }
        encoder.start();
        return encoder;
    }
}
