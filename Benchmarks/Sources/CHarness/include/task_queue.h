// A list of tasks under a lock, the usual companion of a loop's wake: for peers that have wakes and no closures.
#ifndef TASK_QUEUE_H
#define TASK_QUEUE_H
#include <pthread.h>

struct task {
    struct task *next;
    task_fn fn;
    void *arg;
};

struct task_queue {
    pthread_mutex_t lock;
    struct task *head, **tail;
};

static inline void queue_init(struct task_queue *q) {
    pthread_mutex_init(&q->lock, NULL);
    q->head = NULL;
    q->tail = &q->head;
}

static inline void queue_push(struct task_queue *q, task_fn fn, void *arg) {
    struct task *task = malloc(sizeof *task);
    *task = (struct task){NULL, fn, arg};
    pthread_mutex_lock(&q->lock);
    *q->tail = task;
    q->tail = &task->next;
    pthread_mutex_unlock(&q->lock);
}

static inline void queue_drain(struct task_queue *q) {
    pthread_mutex_lock(&q->lock);
    struct task *task = q->head;
    q->head = NULL;
    q->tail = &q->head;
    pthread_mutex_unlock(&q->lock);
    while (task) {
        struct task *done = task;
        task->fn(task->arg);
        task = task->next;
        free(done);
    }
}
#endif
