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
 * Has slf4j log in JSON. It is no service, so that it takes nobody's place unasked: {@link #install} chooses it.
 */
public final class JsonLogProvider implements SLF4JServiceProvider
{
    private static final String API_VERSION = "2.0.99";
    private static final String LEVEL_PROP_NAME = "org.onesided.tools.log.level";
    /** Chronicle tells of its own start and of features that are not used. */
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
     * Takes the place of the provider that slf4j would find. To be called before the first logger is made.
     *
     * @param level the least that is logged, such as {@code info}.
     */
    public static void install(final String level)
    {
        System.setProperty(LEVEL_PROP_NAME, level);
        System.setProperty("slf4j.provider", JsonLogProvider.class.getName());
        // It would tell that it was told.
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    @Override
    public void initialize()
    {
        // All is made already.
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
