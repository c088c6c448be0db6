package org.onesided.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts a server on a free port of loopback for the tests of a class, and stops it behind the last one. Each test
 * finds an empty table. Tests, their constructors and their other methods may have a {@link TestStore}, a
 * {@link org.onesided.client.StoreClient} or an {@link org.onesided.client.AsyncStore} as parameter.
 *
 * <pre>{@code
 * @OnesidedServer
 * class PricesTest
 * {
 *     @Test
 *     void shouldKeepAPrice(final StoreClient store)
 *     {
 *         new Prices(store).set("tea", 3);
 *         assertEquals("3", store.get("tea"));
 *     }
 * }
 * }</pre>
 *
 * <p>Nested classes have the server of the class around them, unless they are annotated themselves. Where JUnit runs
 * tests in parallel, those of one server wait for each other, since they share the table, unless pairs stay.
 * {@link OnesidedExtension} starts a server with other options.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnesidedExtension.class)
public @interface OnesidedServer
{
    /**
     * Most memory of the table.
     *
     * @return a number of bytes, or one with a unit such as {@code 64m} or {@code 64MiB}.
     */
    String memory() default "64m";

    /**
     * How many threads execute writes.
     *
     * @return their number, from 1 to 64.
     */
    int shards() default 1;

    /**
     * The device that the server opens: {@code shm}; {@code tcp:127.0.0.1:0} where a container has no shared memory;
     * or any other value of {@link org.onesided.server.ServerOptions#device(String)}.
     *
     * @return the device.
     */
    String device() default "shm";

    /**
     * Whether a test finds what the tests before it have put. Otherwise all pairs are deleted before each test.
     *
     * @return whether pairs stay.
     */
    boolean keepsPairs() default false;
}
