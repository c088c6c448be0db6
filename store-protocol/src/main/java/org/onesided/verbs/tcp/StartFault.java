package org.onesided.verbs.tcp;

import java.util.Locale;

/**
 * Why a connection to this device failed before it had a queue pair.
 */
enum StartFault
{
    /** The peer speaks another protocol. */
    GARBAGE("the peer sent no MPA request"),
    /** An MPA request, but not one of this device's kind. */
    UNKNOWN_REQUEST("MPA request is none of a device tcp's"),
    /** The requested queue pair does not exist, or no longer. */
    QUEUE_PAIR("there is no such queue pair"),
    /** The peer does not know the secret of a queue pair. */
    SECRET("secret is wrong"),
    /** The queue pair is connected, was so before, or waits for another peer. */
    UNWANTED("queue pair does not wait for this peer"),
    /** The request did not come in time. */
    SILENT("request did not come in time"),
    /** The queue pair did not become ready in time. */
    NOT_READY("queue pair was not ready in time"),
    /** Too many connections without a queue pair, so this one was closed. */
    CROWDED("there are too many connections without a queue pair"),
    /** The peer left during its request, or before the answer. */
    BROKEN_OFF("peer broke off"),
    /** The peer left without sending anything, as port checks do. */
    LEFT(null),
    /** This side lacks a resource, such as open files. */
    RESOURCES("this side could not take it");

    private final String text;

    StartFault(final String text)
    {
        this.text = text;
    }

    /**
     * @return description of the fault; null if it is not worth reporting.
     */
    String text()
    {
        return text;
    }

    /**
     * @return name that it is counted by.
     */
    String counter()
    {
        return "start_" + name().toLowerCase(Locale.ROOT);
    }
}
