package org.onesided.junit;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.agrona.SystemUtil;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.server.ServerOptions;

/**
 * Starts a server for tests. {@link OnesidedServer} brings it along. Where its attributes do not suffice, a test class
 * registers one with all options of a server:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final OnesidedExtension STORE = OnesidedExtension.with((options) -> options.evict(Eviction.DENSITY));
 * }</pre>
 *
 * <p>A static field has one server for all tests of the class, and each test finds an empty table. Any other field has
 * one for each test. Tests may have the same parameters as with {@link OnesidedServer}.
 */
public final class OnesidedExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver
{
    private static final String HOST = "127.0.0.1";
    private static final long MEMORY = 64L << 20;
    /** Key of the server in the store of the context that started it. */
    private static final String RUNNING = "running";

    /** Null if the test class is annotated. */
    private final Consumer<ServerOptions> settings;
    /** The server of these settings, while it runs. */
    private volatile TestStore running;

    /**
     * For {@link OnesidedServer}; called by JUnit.
     */
    public OnesidedExtension()
    {
        this(null);
    }

    private OnesidedExtension(final Consumer<ServerOptions> settings)
    {
        this.settings = settings;
    }

    /**
     * Makes an extension for a field with {@link org.junit.jupiter.api.extension.RegisterExtension}.
     *
     * @param settings changes the options of the server, which are: a free port of 127.0.0.1, the device {@code shm},
     *                 one shard, 64 MiB. It is called at each start. A server that asks for tokens or certificates
     *                 refuses the client of {@link TestStore}, so it cannot be started here.
     * @return the extension.
     */
    public static OnesidedExtension with(final Consumer<ServerOptions> settings)
    {
        return new OnesidedExtension(Objects.requireNonNull(settings, "settings"));
    }

    /**
     * The server of an extension that {@link #with} made. A static field of a class that several test classes extend
     * has a server for each of them; where these run in parallel, use a parameter instead.
     *
     * @return the server and its client.
     * @throws IllegalStateException if no test of its class is running.
     */
    public TestStore store()
    {
        final TestStore store = running;
        if (store == null)
        {
            throw new IllegalStateException(settings == null ?
                "an annotated test class gets its server as a parameter of the type TestStore" :
                "the server runs only while tests of its class do; is the field annotated with @RegisterExtension?");
        }
        return store;
    }

    @Override
    public void beforeAll(final ExtensionContext context)
    {
        if (settings == null)
        {
            annotation(context).ifPresent((server) -> start(context, options(server), !server.keepsPairs()));
        }
        else if (find(context) == null)
        {
            running = start(context, options(), true).store;
        }
    }

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        final Running found = find(context);
        if (found == null && settings == null)
        {
            throw new ExtensionConfigurationException(
                context.getRequiredTestClass().getName() + " is not annotated with @OnesidedServer");
        }
        if (found == null)
        {
            running = start(context, options(), false).store;
        }
        else if (found.turn != null)
        {
            found.turn.lock();
            boolean isCleared = false;
            try
            {
                found.store.clear();
                isCleared = true;
            }
            finally
            {
                if (!isCleared)
                {
                    found.turn.unlock();
                }
            }
        }
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        final Running found = find(context);
        if (found == null)
        {
            return;
        }
        try
        {
            found.store.check();
        }
        finally
        {
            // It is not held where the table could not be cleared.
            if (found.turn != null && found.turn.isHeldByCurrentThread())
            {
                found.turn.unlock();
            }
            stop(context);
        }
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        stop(context);
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        final Class<?> type = parameter.getParameter().getType();
        return (type == TestStore.class || type == StoreClient.class || type == AsyncStore.class) &&
            find(context) != null;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        final Class<?> type = parameter.getParameter().getType();
        final TestStore store = find(context).store;
        return type == TestStore.class ? store : type == StoreClient.class ? store.client() : store.client().async();
    }

    private Running start(final ExtensionContext context, final ServerOptions with, final boolean isCleared)
    {
        final Running started = new Running(new TestStore(with), isCleared ? new ReentrantLock() : null);
        own(context).put(RUNNING, started);
        return started;
    }

    /** Stops the server that this context has started, if it has. */
    private void stop(final ExtensionContext context)
    {
        final Running own = own(context).remove(RUNNING, Running.class);
        if (own != null)
        {
            running = null;
            own.store.close();
        }
    }

    /** The server of this context, or of one around it. */
    private Running find(final ExtensionContext context)
    {
        return own(context).get(RUNNING, Running.class);
    }

    /** Extensions of other fields have stores of their own; all that annotations bring along share one. */
    private ExtensionContext.Store own(final ExtensionContext context)
    {
        return context.getStore(
            settings == null ? ExtensionContext.Namespace.create(OnesidedExtension.class) :
                ExtensionContext.Namespace.create(OnesidedExtension.class, this));
    }

    private static Optional<OnesidedServer> annotation(final ExtensionContext context)
    {
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), OnesidedServer.class);
    }

    private ServerOptions options()
    {
        final ServerOptions options = defaults();
        settings.accept(options);
        return options;
    }

    private static ServerOptions defaults()
    {
        return new ServerOptions().listenHost(HOST).listenPort(0).device("shm").shards(1).memory(MEMORY);
    }

    private static ServerOptions options(final OnesidedServer server)
    {
        final long memory;
        try
        {
            memory = SystemUtil.parseSize("memory", server.memory().replaceFirst("(?i)(?<=[kmg])i?b$", ""));
        }
        catch (final RuntimeException e)
        {
            throw new ExtensionConfigurationException("memory of @OnesidedServer must be a number of bytes, or one " +
                "with a unit such as 64m or 64MiB: memory=" + server.memory(), e);
        }
        return defaults().device(server.device()).shards(server.shards()).memory(memory);
    }

    /**
     * A server that runs.
     *
     * @param store the server and its client.
     * @param turn  of the test that uses it; null if tests do not wait for each other, and find what others have put.
     */
    private record Running(TestStore store, ReentrantLock turn)
    {
    }
}
