package io.fairlead.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * What every class of the process logs, those of libraries too, at the most verbose level; the console is silent meanwhile. What is
 * switched off stays so, as in the program.
 */
public final class WholeLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Map<Logger, Level> levels = new HashMap<>();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    public WholeLog() {
        root.iteratorForAppenders().forEachRemaining(others::add);
        others.forEach(root::detachAppender);
        for (Logger logger : loggers.getLoggerList()) {
            if (logger.getLevel() != null && logger.getLevel() != Level.OFF) {
                levels.put(logger, logger.getLevel());
                logger.setLevel(Level.TRACE);
            }
        }
        start();
        root.addAppender(this);
    }

    /** Each line with the name of its logger, its values and the stack trace of what was thrown. */
    public List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    protected void append(ILoggingEvent line) {
        String values = Objects.requireNonNullElse(line.getKeyValuePairs(), List.<KeyValuePair>of()).stream()
                .map(pair -> " " + pair.key + "=" + pair.value)
                .collect(Collectors.joining());
        IThrowableProxy thrown = line.getThrowableProxy();
        texts.add(line.getLevel() + " " + line.getLoggerName() + " " + line.getFormattedMessage() + values
                + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
    }

    @Override
    public void close() {
        root.detachAppender(this);
        levels.forEach(Logger::setLevel);
        others.forEach(root::addAppender);
    }
}
