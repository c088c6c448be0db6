package org.onesided.tools.log;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Makes slf4j log in JSON. It is not registered as a service, so it is used only after {@link #install}.
 */
public final class JsonLogProvider implements SLF4JServiceProvider
{
    private static final String API_VERSION = "2.0.99";
    private static final String LEVEL_PROP_NAME = "org.onesided.tools.log.level";
    /** Chronicle logs its own start and unused features. */
    private static final String QUIET = "net.openhft";

    private final ConcurrentMap<String, JsonLogger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /**
     * For slf4j.
     */
    public JsonLogProvider()
    {
    }

    /**
     * Replaces the provider that slf4j would find. Must be called before the first logger is created.
     *
     * @param level lowest level to log, such as {@code info}.
     */
    public static void install(final String level)
    {
        System.setProperty(LEVEL_PROP_NAME, level);
        System.setProperty("slf4j.provider", JsonLogProvider.class.getName());
        // Otherwise slf4j reports this property.
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    @Override
    public void initialize()
    {
        // Everything is initialised already.
    }

    @Override
    public ILoggerFactory getLoggerFactory()
    {
        final Level level = Level.valueOf(System.getProperty(LEVEL_PROP_NAME, "info").toUpperCase(Locale.ROOT));
        return (name) -> loggers.computeIfAbsent(
            name, (each) -> new JsonLogger(each, each.startsWith(QUIET) ? Level.ERROR : level));
    }

    @Override
    public IMarkerFactory getMarkerFactory()
    {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter()
    {
        return context;
    }

    @Override
    public String getRequestedApiVersion()
    {
        return API_VERSION;
    }
}
