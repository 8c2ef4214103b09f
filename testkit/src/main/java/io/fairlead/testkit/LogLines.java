package io.fairlead.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What one class logs, from INFO on, as {@code LEVEL message key=value …}. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<String> texts = new CopyOnWriteArrayList<>();

    public LogLines(Class<?> ofClass) {
        logger = (Logger) LoggerFactory.getLogger(ofClass);
        logger.setLevel(Level.INFO);
        start();
        logger.addAppender(this);
    }

    public List<String> texts() {
        return texts;
    }

    @Override
    protected void append(ILoggingEvent line) {
        String values = Objects.requireNonNullElse(line.getKeyValuePairs(), List.<KeyValuePair>of()).stream()
                .map(pair -> " " + pair.key + "=" + pair.value)
                .collect(Collectors.joining());
        texts.add(line.getLevel() + " " + line.getFormattedMessage() + values);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
