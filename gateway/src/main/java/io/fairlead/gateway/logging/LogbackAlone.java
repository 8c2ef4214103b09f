package io.fairlead.gateway.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logback without its search for a configuration, which opens every jar of the class path: a twentieth of a start.
 * {@link Logging} says what is logged. The launcher names this class in {@code slf4j.provider}.
 */
public final class LogbackAlone implements SLF4JServiceProvider {
    /** Of SLF4J, as its other providers say it. */
    private static final String API_VERSION = "2.0.99";

    private final LoggerContext context = new LoggerContext();
    private final LogbackMDCAdapter diagnosticContext = new LogbackMDCAdapter();
    private final BasicMarkerFactory markers = new BasicMarkerFactory();

    @Override
    public void initialize() {
        context.setName("default");
        context.setMDCAdapter(diagnosticContext);
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnosticContext;
    }

    @Override
    public String getRequestedApiVersion() {
        return API_VERSION;
    }
}
