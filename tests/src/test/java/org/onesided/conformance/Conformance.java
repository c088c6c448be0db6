package org.onesided.conformance;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A part of the conformance suite: every test is one rule of the verbs, written against the API alone and run for each
 * device that {@value #DEVICES_PROPERTY} names, comma-separated. Where a device departs from a rule, {@link Departures}
 * says so.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("devices")
@ExtendWith(DepartureExtension.class)
@Tag("conformance")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class Conformance
{
    static final String DEVICES_PROPERTY = "onesided.conformance.devices";

    @Parameter
    String device;

    final Closers closers = new Closers();

    static Stream<String> devices()
    {
        return Arrays.stream(System.getProperty(DEVICES_PROPERTY, "shm").split(","));
    }

    @AfterEach
    void closeAll()
    {
        closers.close();
    }

    /**
     * Two sides, connected.
     */
    Pair pair(final Setup ofA, final Setup ofB)
    {
        return unconnected(ofA, ofB).connect();
    }

    Pair pair()
    {
        return pair(new Setup(), new Setup());
    }

    Pair unconnected(final Setup ofA, final Setup ofB)
    {
        return closers.add(new Pair(device, ofA, ofB));
    }

    Side side(final Setup setup)
    {
        return closers.add(new Side(device, setup));
    }
}
